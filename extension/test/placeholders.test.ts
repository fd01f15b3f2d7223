import assert from "node:assert/strict";
import { test } from "node:test";
import { CATEGORIES } from "../src/finding";
import { Placeholders } from "../src/page-core/placeholders";

test("the same words get the same placeholder, other words the next number", () => {
  const placeholders = new Placeholders();
  assert.equal(placeholders.placeholderFor("Ann Lee", "name", ""), "[NAME_1]");
  assert.equal(placeholders.placeholderFor("Bo", "name", ""), "[NAME_2]");
  assert.equal(placeholders.placeholderFor("ann lee", "name", ""), "[NAME_1]");
  assert.equal(placeholders.valueOf("[NAME_2]"), "Bo");
});

test("a placeholder that the user typed is not taken", () => {
  assert.equal(new Placeholders().placeholderFor("Ann", "name", "see [NAME_1]"), "[NAME_2]");
});

test("every kind has a one-line placeholder", () => {
  for (const category of CATEGORIES) {
    assert.match(new Placeholders().placeholderFor("x", category, ""), /^\[[A-Z]+_1\]$/);
  }
});

test("entries bring a conversation back", () => {
  const first = new Placeholders();
  first.placeholderFor("Ann", "name", "");
  const second = new Placeholders(first.entries);
  assert.equal(second.placeholderFor("Ann", "name", ""), "[NAME_1]");
  assert.equal(second.placeholderFor("Bo", "name", ""), "[NAME_2]");
});
