/** Whether a field is dark: decided by what is painted behind it, not by the system's setting. */
import type { Scheme } from "./markStyle";
import type { Theme } from "./painter";

const COLOR = /rgba?\(([\d.]+)[, ]+([\d.]+)[, ]+([\d.]+)(?:[,/ ]+([\d.]+))?\)/;

/** Relative luminance (WCAG 2) of an sRGB colour with channels 0-255. */
export function luminance(red: number, green: number, blue: number): number {
  const [r, g, b] = [red, green, blue].map((channel) => {
    const c = channel / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

let wanted: Scheme = "auto";

/** The user's own choice, for this whole frame. */
export function useScheme(scheme: Scheme): void {
  wanted = scheme;
}

/** Reads computed styles: call at pauses, never per key. */
export function themeOf(host: HTMLElement): Theme {
  if (wanted !== "auto") return wanted === "dark" ? "night" : "day";
  let element: Element | null = host;
  while (element) {
    const match = COLOR.exec(getComputedStyle(element).backgroundColor);
    if (match && (match[4] === undefined || Number(match[4]) > 0.5)) {
      return luminance(Number(match[1]), Number(match[2]), Number(match[3])) < 0.18 ? "night" : "day";
    }
    const root: Node | null = element.parentElement ? null : element.getRootNode();
    element = element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  const text = COLOR.exec(getComputedStyle(host).color);
  const isLight = text !== null && luminance(Number(text[1]), Number(text[2]), Number(text[3])) > 0.5;
  return isLight ? "night" : "day";
}
