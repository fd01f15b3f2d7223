"""What tests share: a daemon on a free port, a detector that needs no model file, a raw HTTP client."""
