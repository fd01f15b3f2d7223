"""Where a place lies: cities, their country and region, in English, Chinese and German. Offline, about 5 MB."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from limen_daemon.places.gazetteer import City, Country, Gazetteer, Region, gazetteer

__all__ = ["City", "Country", "Gazetteer", "Region", "gazetteer"]
