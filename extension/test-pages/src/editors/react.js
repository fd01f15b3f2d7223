import { useState } from "react";
import { createRoot } from "react-dom/client";

/** A textarea whose value React owns: the model is React's state, not the DOM's value. */
export function mountReactTextarea(place, text) {
  let model = text;
  let update;
  function Composer() {
    const [value, setValue] = useState(text);
    model = value;
    update = setValue;
    return <textarea aria-label="Message" value={value} onChange={(event) => setValue(event.target.value)} />;
  }
  createRoot(place).render(<Composer />);
  return {
    get host() { return place.querySelector("textarea"); },
    text: () => model,
    set: (value) => update(value),
  };
}
