"""The generative detector's parts: a small causal language model that runs in a process of its own.

`instructions` what is asked and how an answer looks, `grammar` what the model may write, `rows` the answer
as it arrives, `windows` long texts in pieces, `llama` the runtime, `worker` and `process` the two ends of
the worker process, `isolation` what that process may not do, `gguf_file` the check before a file is loaded.
"""
