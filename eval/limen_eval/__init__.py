"""Offline evaluation: phrase-level privacy detection in chat queries, and disclosure boundaries (CIDER)."""
