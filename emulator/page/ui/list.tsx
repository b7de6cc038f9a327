import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows outside the window that are rendered as well, so that fast scrolling shows no gap. */
const MARGIN = 10;

interface ListProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** The address that a row opens. */
  link(row: Row): string;
  children(row: Row): ComponentChildren;
  /** The class that lays out the columns. */
  columns: string;
  /** Titles of the columns, where there is room for them. */
  headings: readonly string[];
}

/** A list of links of equal height. Only rows near the window are in the document, so thousands cost as much as dozens. */
export function List<Row>({ label, rows, keyOf, link, children, columns, headings }: ListProps<Row>): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  const { first, last, height } = useVisibleRows(list, rows.length);
  const spacer = (count: number) => ({ height: `${Math.max(0, count) * height}px` });
  return (
    <div class={`list ${columns}`}>
      <div class="headings" aria-hidden="true">
        {headings.map((heading) => (
          <span key={heading}>{heading}</span>
        ))}
      </div>
      <ul aria-label={label} ref={list}>
        <li class="spacer" aria-hidden="true" style={spacer(first)} />
        {rows.slice(first, last).map((row, index) => (
          <li key={keyOf(row)} aria-setsize={rows.length} aria-posinset={first + index + 1}>
            <a href={link(row)}>{children(row)}</a>
          </li>
        ))}
        <li class="spacer" aria-hidden="true" style={spacer(rows.length - last)} />
      </ul>
    </div>
  );
}

/** Returns the range of rows near the window, and the height of one. */
function useVisibleRows(list: { current: HTMLUListElement | null }, count: number) {
  const [range, setRange] = useState({ first: 0, last: 40, height: 50 });
  const measure = () => {
    if (!list.current) return;
    const { top } = list.current.getBoundingClientRect();
    const height = list.current.querySelector("li:not(.spacer)")?.getBoundingClientRect().height ?? range.height;
    const first = Math.max(0, Math.floor(-top / height) - MARGIN);
    const last = Math.max(MARGIN, Math.ceil((innerHeight - top) / height) + MARGIN);
    setRange((old) =>
      old.first === first && old.last === last && old.height === height ? old : { first, last, height },
    );
  };
  // Also what is above the list may have changed its height.
  useLayoutEffect(measure);
  useEffect(() => {
    let frame = 0;
    const schedule = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    };
    addEventListener("scroll", schedule, { passive: true });
    addEventListener("resize", schedule);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", schedule);
      removeEventListener("resize", schedule);
    };
  }, []);
  return { ...range, first: Math.min(range.first, count), last: Math.min(range.last, count) };
}
