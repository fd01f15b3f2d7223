"""Language models for evaluation: a GGUF file in this process, or any OpenAI-compatible endpoint."""
