import { useState } from "preact/hooks";
import { visible } from "./format";

/** A value in a fixed-width font with a button that copies it; a secret one is shown only after a click. */
export function Copyable({ value, name, secret }: { value: string; name: string; secret?: boolean }) {
  const [isShown, setIsShown] = useState(!secret);
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(value).then(() => setIsCopied(true));
  return (
    <>
      <code>{isShown ? visible(value) : "••••••••"}</code>
      {!isShown && (
        <button type="button" class="link" aria-label={`Show ${name}`} onClick={() => setIsShown(true)}>
          Show
        </button>
      )}
      {/* Browsers offer the clipboard to pages at localhost or with HTTPS only. */}
      {navigator.clipboard && (
        <button type="button" class="link" aria-label={`Copy ${name}`} onClick={copy}>
          {isCopied ? "Copied" : "Copy"}
        </button>
      )}
    </>
  );
}
