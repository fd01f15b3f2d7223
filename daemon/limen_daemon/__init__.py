"""The local service: a disclosure detector, the HTTP API that the extension calls, and `limen check`."""
