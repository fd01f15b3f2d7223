/** The history's rows, fetched a page at a time as they come into view; only the latest pages are kept. */
import type { DaemonFailure } from "../protocol";
import type { DecisionItem } from "./answers";
import { call } from "./daemon";

const PAGE_SIZE = 100;
const KEPT_PAGES = 30;

export class HistoryPages {
  total = 0;
  failure: DaemonFailure | null = null;
  readonly #filter: Record<string, unknown>;
  readonly #changed: () => void;
  readonly #pages = new Map<number, DecisionItem[]>();
  readonly #asked = new Set<number>();

  /** `changed` is called when rows have come or a fetch failed. `filter` is the daemon's, without pages. */
  constructor(filter: Record<string, unknown>, changed: () => void) {
    this.#filter = filter;
    this.#changed = changed;
  }

  /** Undefined until its page is there. */
  item(index: number): DecisionItem | undefined {
    return this.#pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE];
  }

  /** Sees to it that the rows `[first, last]` come, if they are not there. */
  async want(first: number, last: number): Promise<void> {
    const pages: Array<Promise<void>> = [];
    for (let page = Math.floor(first / PAGE_SIZE); page <= Math.floor(last / PAGE_SIZE); page += 1) pages.push(this.#bring(page));
    await Promise.all(pages);
  }

  replace(item: DecisionItem): void {
    for (const items of this.#pages.values()) {
      const index = items.findIndex((other) => other.id === item.id);
      if (index >= 0) items[index] = item;
    }
  }

  async #bring(page: number): Promise<void> {
    if (this.#pages.has(page) || this.#asked.has(page)) return;
    this.#asked.add(page);
    const answer = await call("/v1/decisions/list", { ...this.#filter, page: page + 1, page_size: PAGE_SIZE });
    this.#asked.delete(page);
    if (answer.ok) {
      this.failure = null;
      this.total = answer.body.total;
      this.#pages.set(page, answer.body.items);
      const oldest = this.#pages.keys().next().value;
      if (this.#pages.size > KEPT_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    } else {
      this.failure = answer;
    }
    this.#changed();
  }
}
