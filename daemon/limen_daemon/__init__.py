"""The local service: a disclosure detector, the HTTP API that the browser extension calls, and `limen check`."""
