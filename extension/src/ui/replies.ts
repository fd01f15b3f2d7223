/**
 * Shows the user's own words over their placeholders in the page's replies. They are drawn in our closed shadow root:
 * the page, which was not given them, cannot read them. Works only while the conversation has placeholders.
 *
 * Open shadow roots are followed like the page itself from the first look that meets them. A root that is attached
 * later, without any change around it, is met with the next change there: nothing tells of it.
 */
import type { PlaceholderEntry } from "../page-core/placeholders";
import { findPlaceholders, restore, stemOf } from "../page-core/restoring";
import { buildTextMap, rangeFor } from "../page-core/textMap";
import { themeOf } from "../page-core/theme";
import { element } from "./element";

/** A streaming reply changes with every token: it is looked through at most this often. */
const LOOK_MS = 200;
const BLOCK = "p, li, td, th, h1, h2, h3, h4, h5, h6, blockquote, pre, dd, dt, div, section, article";

interface Chip {
  range: Range;
  label: HTMLElement;
}

export class Replies {
  readonly #root: () => ShadowRoot;
  readonly #describe: (value: string) => string;
  #entries: readonly PlaceholderEntry[] = [];
  #observer: MutationObserver | null = null;
  #abort: AbortController | null = null;
  #chips: Chip[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

  /** `describe` says in words that a value is the user's own, for the label's title. */
  constructor(root: () => ShadowRoot, describe: (value: string) => string) {
    this.#root = root;
    this.#describe = describe;
  }

  set(entries: readonly PlaceholderEntry[]): void {
    this.#entries = entries;
    if (entries.length === 0) {
      this.dispose();
      return;
    }
    if (!this.#observer) this.#start();
    this.#lookSoon();
  }

  dispose(): void {
    this.#observer?.disconnect();
    this.#observer = null;
    this.#abort?.abort();
    clearTimeout(this.#timer);
    // Or the next conversation would wait for a look that never comes.
    this.#timer = undefined;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    for (const chip of this.#chips) chip.label.remove();
    this.#chips = [];
  }

  #start(): void {
    this.#observer = new MutationObserver(() => this.#lookSoon());
    this.#observe(document.body);
    this.#abort = new AbortController();
    const options = { capture: true, passive: true, signal: this.#abort.signal };
    window.addEventListener("scroll", () => this.#placeSoon(), options);
    window.addEventListener("resize", () => this.#placeSoon(), options);
    window.addEventListener("copy", (event) => this.#copy(event), { capture: true, signal: this.#abort.signal });
  }

  /** Does nothing new to a root that is observed already. */
  #observe(root: Node): void {
    this.#observer?.observe(root, { childList: true, characterData: true, subtree: true });
  }

  #lookSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, LOOK_MS);
    this.#placeSoon();
  }

  #look(): void {
    for (const chip of this.#chips) chip.label.remove();
    this.#chips = [];
    for (const block of this.#blocks()) {
      const map = buildTextMap(block);
      for (const { start, end, value } of findPlaceholders(map.text, this.#entries)) {
        const range = rangeFor(map, start, end);
        // A block with text of its own around another one has that one's, too.
        if (!range || this.#chips.some((chip) => isSameStart(chip.range, range))) continue;
        const label = element("span", { class: `restored ${themeOf(block instanceof ShadowRoot ? (block.host as HTMLElement) : block)}`, title: this.#describe(value) }, value);
        this.#root().append(label);
        this.#chips.push({ range, label });
      }
    }
    this.#place();
  }

  /** The innermost blocks whose text may hold a placeholder in some form; nothing that is being edited. */
  #blocks(): Set<HTMLElement | ShadowRoot> {
    const blocks = new Set<HTMLElement | ShadowRoot>();
    const stems = this.#entries.map(({ placeholder }) => stemOf(placeholder));
    const lookThrough = (root: HTMLElement | ShadowRoot): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node instanceof Element) {
          const inner = node.shadowRoot;
          if (!inner) continue;
          this.#observe(inner);
          lookThrough(inner);
          continue;
        }
        const text = (node as Text).data.toLowerCase();
        if (!stems.some((stem) => text.includes(stem))) continue;
        const parent = node.parentElement;
        if (parent?.isContentEditable || parent?.closest("script, style, textarea, noscript")) continue;
        const block = parent?.closest<HTMLElement>(BLOCK) ?? (root instanceof ShadowRoot ? root : null);
        if (block) blocks.add(block);
      }
    };
    lookThrough(document.body);
    return blocks;
  }

  #placeSoon(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#place();
    });
  }

  #place(): void {
    const rects = this.#chips.map(({ range }) => range.getBoundingClientRect());
    this.#chips.forEach(({ label, range }, index) => {
      const rect = rects[index]!;
      const isSeen = range.startContainer.isConnected && rect.width > 0 && rect.bottom > 0 && rect.top < innerHeight;
      label.hidden = !isSeen;
      if (!isSeen) return;
      label.style.left = `${rect.left}px`;
      label.style.top = `${rect.top}px`;
      label.style.width = `${rect.width}px`;
      label.style.height = `${rect.height}px`;
      label.style.lineHeight = `${rect.height}px`;
      label.style.fontSize = `${Math.round(rect.height * 0.8)}px`;
    });
  }

  /** What is copied has the user's own words in it; the page does not get to see that. */
  #copy(event: ClipboardEvent): void {
    const selection = selectionOf(event);
    const within = selection?.anchorNode?.parentElement;
    if (!selection || selection.isCollapsed || within?.isContentEditable) return;
    const text = selection.toString();
    const restored = restore(text, this.#entries);
    if (restored === text) return;
    event.clipboardData?.setData("text/plain", restored);
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

const isSameStart = (a: Range, b: Range): boolean => a.startContainer === b.startContainer && a.startOffset === b.startOffset;

/** In Chromium a shadow root has a selection of its own; in Firefox the document's reaches into it. */
function selectionOf(event: Event): Selection | null {
  const root = (event.composedPath()[0] as Node).getRootNode();
  return (root instanceof ShadowRoot ? root.getSelection?.() : null) ?? document.getSelection();
}
