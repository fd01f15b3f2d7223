"""Word lists: what kind of drug, condition, work, organisation or belief a word names."""

from limen_daemon.generalize.terms.lists import Kind, terms

__all__ = ["Kind", "terms"]
