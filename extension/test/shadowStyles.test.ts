import assert from "node:assert/strict";
import { test } from "node:test";
import { ShadowStyles } from "../src/page-core/shadowStyles";

class Root {
  adoptedStyleSheets: unknown[] = ["the page's own"];
}

function setUp() {
  class Sheet {
    replaceSync(): void {}
  }
  Object.assign(globalThis, { ShadowRoot: Root, CSSStyleSheet: Sheet });
  const root = new Root();
  let parent: unknown = root;
  const host = (): HTMLElement => ({ getRootNode: () => parent }) as unknown as HTMLElement;
  return { root, host, takeOut: () => (parent = {}) };
}

test("settings that change any number of times leave no style sheet behind in the page", () => {
  const { root, host, takeOut } = setUp();
  const field = host();
  for (let change = 0; change < 3; change += 1) {
    const styles = new ShadowStyles("css");
    styles.add(field);
    assert.equal(root.adoptedStyleSheets.length, 2);
    styles.remove(field);
    assert.deepEqual(root.adoptedStyleSheets, ["the page's own"]);
  }
  const styles = new ShadowStyles("css");
  styles.add(field);
  takeOut();
  styles.remove(field);
  assert.deepEqual(root.adoptedStyleSheets, ["the page's own"]);
});

test("fields of one shadow root share the style sheet until the last of them goes", () => {
  const { root, host } = setUp();
  const [one, other] = [host(), host()];
  const styles = new ShadowStyles("css");
  styles.add(one);
  styles.add(other);
  assert.equal(root.adoptedStyleSheets.length, 2);
  styles.remove(one);
  assert.equal(root.adoptedStyleSheets.length, 2);
  // The page may have put its own list in the place of ours.
  root.adoptedStyleSheets = ["another"];
  styles.remove(other);
  assert.deepEqual(root.adoptedStyleSheets, ["another"]);
});
