"""Find the disclosing phrases of a text."""

from __future__ import annotations

from aiohttp import web

from limen_daemon.errors import DetectorError, DetectorOff
from limen_daemon.keys import LANE, PROFILE
from limen_daemon.routes.table import Route
from limen_daemon.wire.detect import DetectAnswer, DetectRequest, WireFinding
from limen_daemon.wire.models import answer, read_model
from limen_daemon.wire.utf16 import Utf16Offsets


async def detect(request: web.Request) -> web.Response:
    lane, profile = request.app[LANE], request.app[PROFILE]
    asked = read_model(request, DetectRequest)
    detection = await lane.detect(asked.text, context=asked.context)
    info = lane.info
    if info is None:
        raise DetectorOff("no detector is loaded")
    state = await profile.state()
    boundaries = await profile.judge(detection.findings, site=asked.site, recipient=asked.recipient)
    offsets = Utf16Offsets(asked.text)
    try:
        findings = tuple(
            WireFinding.of(finding, boundary, offsets)
            for finding, boundary in zip(detection.findings, boundaries, strict=True)
        )
    except ValueError:
        raise DetectorError("the findings do not fit the text") from None
    return answer(
        DetectAnswer(
            findings=findings,
            leak_score=detection.leak_score,
            checked_by="patterns" if detection.checked_by == "patterns" else "model",
            detector=info.id,
            profile=state.mode,
        )
    )


ROUTES = (Route("/v1/detect", detect),)
