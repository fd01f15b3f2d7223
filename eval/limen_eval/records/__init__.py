"""Run folders: what was run, with what, and every item's prediction."""
