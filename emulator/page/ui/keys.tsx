import { useEffect, useRef } from "preact/hooks";

const KEYS = [
  ["/", "Search this list"],
  ["Tab, Enter", "Go to the next link, and follow it"],
  ["Esc", "Close what is open"],
  ["?", "Show these keys"],
] as const;

/** The keys of the page, and a button that lists them. */
export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches("input, select, textarea, dialog *");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "?") dialog.current?.showModal();
      else if (event.key === "/") document.querySelector<HTMLInputElement>("main input[type=search]")?.focus();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <button type="button" class="keys" aria-label="Keys" onClick={() => dialog.current?.showModal()}>
        ?
      </button>
      <dialog ref={dialog} aria-labelledby="keys-title" class="small">
        <div class="heading">
          <h3 id="keys-title">Keys</h3>
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
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
      </dialog>
    </>
  );
}
