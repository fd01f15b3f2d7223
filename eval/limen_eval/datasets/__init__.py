"""Readers of the public data sets, strict about bad records."""
