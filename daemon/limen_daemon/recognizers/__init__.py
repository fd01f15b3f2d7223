"""Deterministic recognizers: one file per kind of value, in union with the model, never overruled by it."""
