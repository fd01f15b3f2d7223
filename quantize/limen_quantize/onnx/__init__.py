"""ONNX export and quantization. Each step takes a model and gives a model; files are written at the end."""
