"""Deterministic recognizers: one file per kind of value, in union with the model and never overruled by it."""
