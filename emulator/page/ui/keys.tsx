import { useState } from "preact/hooks";
import { useWindowEvent } from "../data/window-event";
import { Dialog } from "./dialog";
import { Button } from "./fields";

const KEYS = [
  ["/", "Search this list"],
  ["Tab, Enter", "Go to the next link, and follow it"],
  ["Esc", "Close what is open"],
  ["?", "Show these keys"],
] as const;

export function Keys() {
  const [isOpen, setIsOpen] = useState(false);
  useWindowEvent("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, select, textarea, dialog *");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") setIsOpen(true);
    else if (event.key === "/") document.querySelector<HTMLInputElement>("main input[type=search]")?.focus();
    else return;
    event.preventDefault();
  });
  return (
    <>
      <Button text="?" class="keys" aria-label="Keys" onClick={() => setIsOpen(true)} />
      {isOpen && (
        <Dialog title="Keys" class="small" onClose={() => setIsOpen(false)}>
          <dl class="keys">
            {KEYS.map(([key, title]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{title}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  );
}
