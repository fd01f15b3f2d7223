"""Training, export and quantization of disclosure detectors."""
