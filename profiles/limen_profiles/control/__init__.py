"""Asking the running daemon to do something with the profile it holds open: what the commands go through.

A local channel (a Unix socket, on Windows a named pipe) in the profile's private folder. It carries JSON,
never pickles, and both ends prove that they can read the folder's key before a word is exchanged.
"""
