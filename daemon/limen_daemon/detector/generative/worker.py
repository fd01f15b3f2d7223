"""The worker process: requests on stdin, events on stdout.

Started by `process` as `python -m limen_daemon.detector.generative.worker`. It has no network, no
keyring and no database, and ends when its stdin closes.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable

from pydantic import BaseModel, ValidationError

from limen_daemon.detector.generative.isolation import isolate
from limen_daemon.detector.generative.llama import LlamaModel, silence
from limen_daemon.detector.generative.messages import (
    REQUEST,
    Choose,
    Chosen,
    End,
    Failed,
    Generate,
    Piece,
    Ready,
    Start,
    Stop,
)
from limen_daemon.errors import LimenError

Send = Callable[[BaseModel], None]


def _send(message: BaseModel) -> None:
    sys.stdout.buffer.write(message.model_dump_json().encode("utf-8") + b"\n")
    sys.stdout.buffer.flush()


def _read_requests(requests: queue.Queue[Choose | Generate | Stop]) -> None:
    """Feed the queue from stdin. When the parent is gone, so is the reason to run."""
    for line in sys.stdin.buffer:
        try:
            requests.put(REQUEST.validate_json(line))
        except ValidationError:
            os._exit(2)
    os._exit(0)


def _generate(model: LlamaModel, request: Generate, stopped: Callable[[], bool], send: Send) -> None:
    prompt = model.tokenize(request.prompt)
    count = 0
    reason = "end"
    for token in model.generate(prompt, grammar=request.grammar, max_tokens=request.max_tokens):
        count += 1
        send(Piece(text=token.text, probability=min(1.0, token.probability)))
        if stopped():
            reason = "stopped"
            break
    else:
        if count == request.max_tokens or len(prompt) + count >= model.context_tokens:
            reason = "length"
    send(End.model_validate({"reason": reason, "prompt_tokens": len(prompt), "new_tokens": count}))


def serve(model: LlamaModel, requests: queue.Queue[Choose | Generate | Stop], send: Send) -> None:
    """Answer requests one after the other, for ever."""

    def stopped() -> bool:
        try:
            return isinstance(requests.get_nowait(), Stop)
        except queue.Empty:
            return False

    while True:
        request = requests.get()
        try:
            if isinstance(request, Choose):
                prompt = model.tokenize(request.prompt)
                send(Chosen(probabilities=model.choose(prompt, request.answers), prompt_tokens=len(prompt)))
            elif isinstance(request, Generate):
                _generate(model, request, stopped, send)
        except LimenError as error:
            send(Failed(message=str(error)))


def main() -> None:
    """Load the model that the first line names, then serve."""
    import llama_cpp

    log = silence(llama_cpp)
    start = Start.model_validate_json(sys.stdin.buffer.readline())
    gpu = start.gpu and bool(llama_cpp.llama_supports_gpu_offload())
    isolation = isolate(address_space_bytes=start.address_space_bytes, programs=gpu)
    try:
        model = LlamaModel(start.path, context_tokens=start.context_tokens, threads=start.threads, gpu=gpu)
    except LimenError as error:
        _send(Failed(message=str(error)))
        return
    _send(Ready(device="cuda" if gpu else "cpu", isolation=isolation, context_tokens=model.context_tokens))
    requests: queue.Queue[Choose | Generate | Stop] = queue.Queue()
    threading.Thread(target=_read_requests, args=(requests,), daemon=True).start()
    serve(model, requests, _send)
    del log


if __name__ == "__main__":
    main()
