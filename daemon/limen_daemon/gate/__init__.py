"""The gate: what stands before the application. It decides on a request's headers alone, body unread.

`rules.py` the order of refusals, `gate.py` the handler around aiohttp's, `protocol.py` the connection,
`limits.py` the limits and the check that they hold, `rates.py` calls per second, `origins.py` who may ask.
"""
