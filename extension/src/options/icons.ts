/** One small line drawing for each section, and the threshold that stands for Limen. */
import { svg } from "./svg";
import type { SectionId } from "./view";

const PATHS: Readonly<Record<SectionId, string>> = {
  boundary: "M3 3h5v5H3zM12 3h5v5h-5zM3 12h5v5H3zM12 12h5v5h-5z",
  history: "M10 3a7 7 0 1 1-6.6 4.6M3 3v4.5h4.5M10 6v4.4l3 1.8",
  lists: "M8 5h9M8 10h9M8 15h9M3 5l1 1 2-2M3 10l1 1 2-2M3.4 14l2 2m0-2-2 2",
  calibrate: "M3 6h6M13 6h4M3 14h3M10 14h7M11 4v4M8 12v4",
  behaviour: "M4 17V10M4 6V3M10 17v-4M10 9V3M16 17V9M16 5V3M2 10h4M8 9h4M14 9h4",
  sites: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM3 10h14M10 3c2.6 2.4 2.6 11.600 0 14M10 3c-2.600 2.400-2.600 11.600 0 14",
  detector: "M9 3a6 6 0 1 0 0 12A6 6 0 0 0 9 3zM13.500 13.500 17 17M6 9q1.500-2 3 0t3 0",
  privacy: "M5 9h10v8H5zM7 9V6.500a3 3 0 0 1 6 0V9M10 12v2",
  connection: "M8 12 12 8M9 5l1.500-1.500a3.500 3.500 0 0 1 5 5L14 10M11 15l-1.500 1.500a3.500 3.500 0 0 1-5-5L6 10",
};

export function sectionIcon(id: SectionId): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true", class: "icon" },
    svg("path", { d: PATHS[id], fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "round", "stroke-linejoin": "round" }),
  );
}

/** As the toolbar's icon. */
export function brandIcon(): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 32 32", width: 28, height: 28, "aria-hidden": "true", class: "brand-icon" },
    svg("path", { d: "M6 4h20v20H6z", class: "brand-door" }),
    svg("path", { d: "M2 28h28", class: "brand-line", "stroke-width": 4, "stroke-linecap": "round" }),
    svg("path", { d: "M11 17q2.5-4 5 0t5 0", class: "brand-wave", fill: "none", "stroke-width": 2.6, "stroke-linecap": "round" }),
  );
}
