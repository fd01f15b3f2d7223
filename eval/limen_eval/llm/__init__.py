"""Language models for evaluation: a GGUF file in a process of its own, or any OpenAI-compatible endpoint."""
