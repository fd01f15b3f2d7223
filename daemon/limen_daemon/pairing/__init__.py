"""Pairing a browser with the daemon by a short code, and requests sealed with the keys that come of it.

Both ends prove that they know the code, so a program that squats on the port learns nothing: not the code,
not a reusable secret, not a word of what is typed. The other end is `extension/src/background/sealed.ts`.

`code.py` the code, `agreement.py` the keys, `window.py` when a code is good, `store.py` who is paired,
`requests.py` the proof on each request and its sealed body, `service.py` the steps, `control.py` and
`client.py` the two ends of the command line's channel, `channel.py` where that is and who may use it,
`places.py` where keys are kept, `keeping.py` what goes on while the daemon runs.
"""
