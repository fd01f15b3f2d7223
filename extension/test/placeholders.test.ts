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

test("a stand-in is taken with those that go with it, and stays", () => {
  const placeholders = new Placeholders();
  const made = [{ placeholder: "Clara Hollis", value: "Ann Lee" }, { placeholder: "Clara", value: "Ann" }, { placeholder: "Hollis", value: "Lee" }];
  assert.equal(placeholders.take("Ann Lee", made, "my wife Ann Lee"), true);
  assert.equal(placeholders.placeholderFor("ann lee", "name", ""), "Clara Hollis");
  assert.equal(placeholders.placeholderFor("Ann", "name", ""), "Clara");
  assert.equal(placeholders.placeholderFor("Bo", "name", ""), "[NAME_1]");
});

test("a stand-in that the user wrote, or that stands for something else, is not taken", () => {
  const placeholders = new Placeholders([{ placeholder: "Clara", value: "Ann" }]);
  assert.equal(placeholders.take("Bo", [{ placeholder: "Nora", value: "Bo" }], "with Bo and NORA"), false);
  assert.equal(placeholders.take("Bo", [{ placeholder: "Clara", value: "Bo" }], "with Bo"), false);
  assert.equal(placeholders.take("Bo", [{ placeholder: "Nora", value: "Ed" }], "with Bo"), false);
  assert.equal(placeholders.take("Bo", [], "with Bo"), false);
  assert.equal(placeholders.has("Bo"), false);
});

test("entries bring a conversation back", () => {
  const first = new Placeholders();
  first.placeholderFor("Ann", "name", "");
  const second = new Placeholders(first.entries);
  assert.equal(second.placeholderFor("Ann", "name", ""), "[NAME_1]");
  assert.equal(second.placeholderFor("Bo", "name", ""), "[NAME_2]");
});
