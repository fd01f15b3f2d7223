"""Generative detectors: a small causal model from GGUF to torch, tuned, and back to quantized GGUF.

`bases` finds the base model, `architectures` knows its tensors, `reading` and `writing` convert, `tokens`
rebuilds its tokenizer, `conversations` makes training examples, `adapters` and `tuning` train, `levels`
quantizes, `prompting` is the untuned baseline.
"""
