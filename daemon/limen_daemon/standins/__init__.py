"""Realistic stand-ins: a made-up value of the same kind, in place of a phrase that is kept back."""

from limen_daemon.standins.making import StandIn, Wanted, make

__all__ = ["StandIn", "Wanted", "make"]
