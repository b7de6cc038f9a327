import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { hasNavigated } from "../data/route";
import { visible } from "./format";

/** The title of a view, and of the tab. It gets the focus when its view replaces another one. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasNavigated()) heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = `${visible(title).slice(0, 100)} · Agent platform emulator`;
  }, [title]);
  return (
    <h2 tabIndex={-1} ref={heading}>
      {children ?? visible(title)}
    </h2>
  );
}
