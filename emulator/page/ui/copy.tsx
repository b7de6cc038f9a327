import { useState } from "preact/hooks";
import { Button } from "./fields";
import { Code } from "./text";

/** A value in a fixed-width font with a button that copies it; a secret one is shown only after a click. */
export function Copyable({ value, name, secret }: { value: string; name: string; secret?: boolean }) {
  const [isShown, setIsShown] = useState(!secret);
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(value).then(() => setIsCopied(true));
  return (
    <>
      <Code>{isShown ? value : "••••••••"}</Code>
      {!isShown && <Button text="Show" class="link" aria-label={`Show ${name}`} onClick={() => setIsShown(true)} />}
      {/* Browsers offer the clipboard to pages at localhost or with HTTPS only. */}
      {navigator.clipboard && (
        <Button text={isCopied ? "Copied" : "Copy"} class="link" aria-label={`Copy ${name}`} onClick={copy} />
      )}
    </>
  );
}
