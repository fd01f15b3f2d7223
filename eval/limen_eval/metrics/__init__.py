"""Metrics, one per file; each decides and explains what it gives for empty input."""
