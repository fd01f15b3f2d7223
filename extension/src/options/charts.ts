/** Acceptance over time as a line, and by kind or site as bars. Numbers stand beside every picture. */
import { element } from "../ui/element";
import type { MonthShare, NamedShare } from "./answers";
import { svg } from "./svg";
import type { Say } from "./words";

const HEIGHT = 150;
const LEFT = 48;
const RIGHT = 14;
const TOP = 10;
const BOTTOM = 26;

const percentOf = ({ accepted, total }: { accepted: number; total: number }): number => Math.round((100 * accepted) / Math.max(1, total));

/** Months without a choice are left out; the line goes straight on. */
export function timeLine(t: Say, language: string, months: readonly MonthShare[], signal: AbortSignal): HTMLElement {
  const box = element("div", { class: "time-line" });
  const monthName = (month: string): string =>
    new Intl.DateTimeFormat(language, { month: "short", year: "2-digit", timeZone: "UTC" }).format(new Date(`${month}-01T00:00:00Z`));
  const spoken = months.map((one) => t("monthSpoken", { month: monthName(one.month), percent: percentOf(one), count: one.total })).join("; ");

  const draw = (): void => {
    const width = Math.max(240, box.clientWidth);
    const serial = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5));
    const first = serial(months[0]!.month);
    const span = Math.max(1, serial(months.at(-1)!.month) - first);
    const x = (month: string): number =>
      months.length === 1 ? (LEFT + width - RIGHT) / 2 : LEFT + 12 + ((width - LEFT - RIGHT - 24) * (serial(month) - first)) / span;
    const y = (percent: number): number => TOP + ((HEIGHT - TOP - BOTTOM) * (100 - percent)) / 100;
    const points = months.map((one) => [x(one.month), y(percentOf(one))] as const);
    const every = Math.max(1, Math.ceil((months.length * 56) / (width - LEFT - RIGHT)));
    const path = points.map(([px, py], index) => `${index === 0 ? "M" : "L"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
    const floor = y(0).toFixed(1);
    box.replaceChildren(
      svg(
        "svg",
        { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": t("timeSpoken", { months: spoken }) },
        ...[0, 50, 100].flatMap((percent) => [
          svg("line", { x1: LEFT, x2: width - RIGHT, y1: y(percent), y2: y(percent), class: percent === 50 ? "grid middle" : "grid" }),
          svg("text", { x: LEFT - 8, y: y(percent) + 4, "text-anchor": "end", class: "tick" }, t("justPercent", { percent })),
        ]),
        ...(points.length > 1 ? [svg("path", { d: `${path}L${points.at(-1)![0].toFixed(1)} ${floor}L${points[0]![0].toFixed(1)} ${floor}Z`, class: "area" })] : []),
        svg("path", { d: path, class: "line", fill: "none" }),
        ...points.map(([px, py], index) =>
          svg(
            "circle",
            { cx: px, cy: py, r: 4, class: "point" },
            svg("title", {}, t("monthSpoken", { month: monthName(months[index]!.month), percent: percentOf(months[index]!), count: months[index]!.total })),
          ),
        ),
        ...months.flatMap((one, index) =>
          (months.length - 1 - index) % every === 0
            ? [svg("text", { x: x(one.month), y: HEIGHT - 6, "text-anchor": "middle", class: "tick" }, monthName(one.month))]
            : [],
        ),
      ),
    );
  };
  const observer = new ResizeObserver(draw);
  observer.observe(box);
  signal.addEventListener("abort", () => observer.disconnect());
  return box;
}

/** Most choices first, as they come. Each bar leads to its choices. */
export function bars(t: Say, label: string, shares: readonly NamedShare[], words: (name: string) => string, address: (name: string) => string): HTMLElement {
  return element(
    "ul",
    { class: "bars", "aria-label": label },
    ...shares.map((one) => {
      const filled = element("span", { class: "bar-fill" });
      filled.style.width = `${percentOf(one)}%`;
      const bar = element("span", { class: one.total < 3 ? "bar few" : "bar", "aria-hidden": "true" }, filled);
      return element(
        "li",
        {},
        element("a", { href: address(one.name) }, words(one.name)),
        bar,
        element("span", { class: "bar-number" }, t("ofTotal", { accepted: one.accepted, total: one.total })),
      );
    }),
  );
}
