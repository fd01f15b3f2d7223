"""What travels over HTTP: strict JSON, request and answer models, UTF-16 offsets."""
