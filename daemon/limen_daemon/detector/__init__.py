"""Detectors: a text in, findings out. `load_detector` is the one place that builds one."""

from limen_daemon.detector.protocol import Detection, Detector, DetectorInfo

__all__ = ["Detection", "Detector", "DetectorInfo"]
