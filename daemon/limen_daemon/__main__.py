"""`python -m limen_daemon` is the `limen` command."""

from limen_daemon.cli import main

main()
