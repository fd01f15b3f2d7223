"""Where a place lies, offline and in three languages."""

# ruff: noqa: E501  # tables: one entry a line reads best

from __future__ import annotations

import pytest

from limen_daemon.places import City, Country, Region, gazetteer


def lies_in(place: City | Country | Region | None) -> str | None:
    if place is None:
        return None
    return place.names[0] if isinstance(place, Country) else place.country.names[0]


@pytest.mark.parametrize(
    ("name", "country"),
    [("Leeds", "the UK"), ("leeds", "the UK"), ("München", "Germany"), ("New York", "the US"), ("Texas", "the US"), ("Schweiz", "Switzerland"), ("Nowhereville", None)],
)  # fmt: skip
def test_a_name_leads_to_its_country(name: str, country: str | None) -> None:
    assert lies_in(gazetteer().latin(name)) == country


def test_chinese_names_are_found_inside_a_sentence() -> None:
    text = "我在厦门工作，老家甘肃临夏，去过墨尔本"
    assert [text[one.start : one.end] for one in gazetteer().find(text, any_case=False)] == ["厦门", "甘肃", "临夏", "墨尔本"]


def test_words_that_are_also_far_cities_are_not_found_in_chinese() -> None:
    assert list(gazetteer().find("合作社的中央领导和大学", any_case=False)) == []


def test_longer_names_win_and_possessives_are_left_out() -> None:
    text = "from New York City's suburbs"
    (found,) = gazetteer().find(text, any_case=False)
    assert text[found.start : found.end] == "New York City"


def test_regions_and_countries_have_names_in_three_languages() -> None:
    xiamen = gazetteer().latin("Xiamen")
    assert isinstance(xiamen, City) and xiamen.region is not None
    assert [xiamen.region.name(one) for one in ("en", "zh", "de")] == ["Fujian", "福建", "Fujian"]
    assert [xiamen.country.name(one) for one in ("en", "zh", "de")] == ["China", "中国", "China"]
    assert [xiamen.country.continent(one) for one in ("en", "zh", "de")] == ["Asia", "亚洲", "Asien"]


def test_a_country_lists_its_cities_largest_first() -> None:
    leeds = gazetteer().latin("Leeds")
    assert isinstance(leeds, City)
    assert gazetteer().cities_of(leeds.country)[0].name == "London"
