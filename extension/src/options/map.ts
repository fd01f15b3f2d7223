/** The boundary as a picture: how detailed by how identifying. The fill's height is the share kept. */
import { element } from "../ui/element";
import type { CellShare } from "./answers";
import type { Say, Words } from "./words";

export const LEVELS = [1, 2, 3] as const;
/** Below this many choices a share says little. */
export const ENOUGH = 3;
/** Where a cell counts as within the boundary. */
const WITHIN = 0.5;

export const ROW_WORDS: Readonly<Record<number, Words>> = { 1: "detailGeneral", 2: "detailSome", 3: "detailVery" };
export const COLUMN_WORDS: Readonly<Record<number, Words>> = { 1: "identifiesNot", 2: "identifiesPartly", 3: "identifiesFully" };

/** `addressFor` names where the choices of a cell can be looked at; null for cells that lead nowhere. */
export function boundaryMap(t: Say, cells: readonly CellShare[], addressFor: (cell: CellShare) => string | null): HTMLElement {
  const at = (granularity: number, identifiability: number): CellShare =>
    cells.find((cell) => cell.granularity === granularity && cell.identifiability === identifiability) ??
    { granularity, identifiability, accepted: 0, total: 0 };
  const isWithin = (cell: CellShare): boolean | null => (cell.total < ENOUGH ? null : cell.accepted / cell.total >= WITHIN);
  const crosses = (one: CellShare, other: CellShare): boolean => {
    const [a, b] = [isWithin(one), isWithin(other)];
    return a !== null && b !== null && a !== b;
  };

  const cellOf = (granularity: number, identifiability: number): HTMLElement => {
    const cell = at(granularity, identifiability);
    const box = element("td", { class: "cell", "data-granularity": String(granularity), "data-identifiability": String(identifiability) });
    if (cell.total < ENOUGH) box.classList.add("few");
    if (identifiability < 3 && crosses(cell, at(granularity, identifiability + 1))) box.classList.add("edge-right");
    if (granularity < 3 && crosses(cell, at(granularity + 1, identifiability))) box.classList.add("edge-below");
    const percent = cell.total === 0 ? 0 : Math.round((100 * cell.accepted) / cell.total);
    const fill = element("span", { class: "fill", "aria-hidden": "true" });
    // Inline styles are forbidden to markup here, not to scripts.
    fill.style.height = `${percent}%`;
    const words = t(cell.total === 1 ? "cellOne" : "cellMany", { count: cell.total, percent, detail: t(ROW_WORDS[granularity]!), identifies: t(COLUMN_WORDS[identifiability]!) });
    const inside = [
      element("span", { class: "number", "aria-hidden": "true" }, String(cell.total)),
      element("span", { class: "share", "aria-hidden": "true" }, cell.total === 0 ? "–" : t("sharePercent", { percent })),
      element("span", { class: "share short", "aria-hidden": "true" }, cell.total === 0 ? "–" : t("justPercent", { percent })),
      element("span", { class: "unseen" }, words),
    ];
    const address = cell.total === 0 ? null : addressFor(cell);
    box.append(fill, address === null ? element("span", { class: "inside" }, ...inside) : element("a", { class: "inside", href: address }, ...inside));
    return box;
  };

  return element(
    "table",
    { class: "map" },
    element("caption", { class: "unseen" }, t("mapCaption")),
    element(
      "thead",
      {},
      element("tr", {}, element("td", {}), ...LEVELS.map((level) => element("th", { scope: "col" }, t(COLUMN_WORDS[level]!)))),
    ),
    element(
      "tbody",
      {},
      ...LEVELS.map((granularity) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, t(ROW_WORDS[granularity]!)),
          ...LEVELS.map((identifiability) => cellOf(granularity, identifiability)),
        ),
      ),
    ),
  );
}

export function mapLegend(t: Say): HTMLElement {
  const entry = (name: string, words: Words): HTMLElement =>
    element("li", {}, element("span", { class: `swatch ${name}`, "aria-hidden": "true" }), t(words));
  return element("ul", { class: "legend" }, entry("filled", "legendFill"), entry("few", "legendFew"), entry("edge", "legendEdge"));
}
