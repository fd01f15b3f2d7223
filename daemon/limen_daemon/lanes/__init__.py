"""Lanes: where a detector runs. A lane has a bounded queue and a deadline, and is closed by who opened it."""
