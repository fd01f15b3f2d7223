"""Where a person draws the line: a Gaussian process over situations and wordings (see docs/boundary.md)."""
