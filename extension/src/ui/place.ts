/** Keeps a floating element beside a phrase, never over it, while it is open. */
import { autoUpdate, computePosition, flip, offset, shift, size, type VirtualElement } from "@floating-ui/dom";

const LEAST_HEIGHT = 140;

export interface Anchor {
  /** The phrase's lines now; empty when it is gone or out of sight. */
  rects: () => DOMRect[];
  /** The field, for its scrolling ancestors. */
  host: HTMLElement;
}

function boundsOf(rects: readonly DOMRect[]): DOMRect {
  const left = Math.min(...rects.map((rect) => rect.left));
  const top = Math.min(...rects.map((rect) => rect.top));
  const right = Math.max(...rects.map((rect) => rect.right));
  const bottom = Math.max(...rects.map((rect) => rect.bottom));
  return new DOMRect(left, top, right - left, bottom - top);
}

/** Returns a function that stops following. `onGone` is called when the field leaves the page. */
export function follow(floating: HTMLElement, anchor: Anchor, onGone: () => void): () => void {
  let last = boundsOf(anchor.rects().length > 0 ? anchor.rects() : [anchor.host.getBoundingClientRect()]);
  const reference: VirtualElement = {
    contextElement: anchor.host,
    getBoundingClientRect: () => {
      const rects = anchor.rects();
      if (rects.length > 0) last = boundsOf(rects);
      return last;
    },
  };
  const update = (): void => {
    if (!anchor.host.isConnected) {
      onGone();
      return;
    }
    // Its natural height decides on which side it goes; where neither side has the room, it scrolls.
    floating.style.maxHeight = "";
    void computePosition(reference, floating, {
      strategy: "fixed",
      placement: "bottom-start",
      middleware: [
        offset(8),
        flip({ padding: 8 }),
        shift({ padding: 8 }),
        size({
          padding: 8,
          apply: ({ availableHeight }) => {
            floating.style.maxHeight = `${Math.max(LEAST_HEIGHT, Math.floor(availableHeight))}px`;
          },
        }),
      ],
    }).then(({ x, y }) => {
      floating.style.left = `${Math.round(x)}px`;
      floating.style.top = `${Math.round(y)}px`;
    });
  };
  return autoUpdate(reference, floating, update, { animationFrame: true });
}
