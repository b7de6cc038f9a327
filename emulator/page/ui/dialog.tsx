import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button } from "./fields";

interface DialogProps {
  title: string;
  class?: string;
  onClose(): void;
  children: ComponentChildren;
}

/** A dialog that is open for as long as it is shown. */
export function Dialog({ title, children, ...rest }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={id} {...rest}>
      <div class="row">
        <h3 id={id}>{title}</h3>
        <Button text="Close" onClick={() => dialog.current?.close()} />
      </div>
      {children}
    </dialog>
  );
}
