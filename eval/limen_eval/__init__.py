"""Offline evaluation of privacy detectors, boundary predictors and latency, with re-scorable records."""
