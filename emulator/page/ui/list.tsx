import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useWindowEvent } from "../data/window-event";
import { Text } from "./text";

/** Rows outside the window that are rendered as well, so that fast scrolling shows no gap. */
const MARGIN = 10;

export interface Columns<Row> {
  /** The class for what is special about its rows. */
  name: string;
  /** The widths of the columns, in CSS. */
  columns: string;
  /** Titles of the columns, where there is room for them. */
  headings: readonly string[];
  cells(row: Row): ComponentChildren;
}

interface ListProps<Row> {
  label: string;
  of: Columns<Row>;
  rows: readonly Row[];
  /** The address that a row opens, which no other row has. */
  link(row: Row): string;
  /** Puts the rows of a group below its title, in the order of their first rows. */
  groupOf?: ((row: Row) => string) | undefined;
}

/** A row of the list, or the title of the group that begins there. */
type Item<Row> = { row: Row } | { group: string; count: number };

function itemsOf<Row>(rows: readonly Row[], groupOf: ListProps<Row>["groupOf"]): Item<Row>[] {
  if (!groupOf) return rows.map((row) => ({ row }));
  return [...Map.groupBy(rows, groupOf)].flatMap(([group, members]) => [
    { group, count: members.length },
    ...members.map((row) => ({ row })),
  ]);
}

/** A list of links of equal height. Only rows near the window are in the document, so thousands cost no more. */
export function List<Row>({ label, of: { name, columns, headings, cells }, rows, link, groupOf }: ListProps<Row>) {
  const list = useRef<HTMLUListElement>(null);
  const items = itemsOf(rows, groupOf);
  const { first, last, height } = useVisibleRows(list, items.length);
  const spacer = (count: number) => (
    <li class="spacer" aria-hidden="true" style={{ height: `${Math.max(0, count) * height}px` }} />
  );
  return (
    <div class={`list ${name}`} style={{ "--columns": columns }}>
      <div class="headings minor" aria-hidden="true">
        {headings.map((heading) => (
          <span key={heading}>{heading}</span>
        ))}
      </div>
      <ul aria-label={label} ref={list}>
        {spacer(first)}
        {items.slice(first, last).map((item, index) => (
          <li
            key={"row" in item ? link(item.row) : item.group}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
          >
            {"row" in item ? (
              <a href={link(item.row)}>{cells(item.row)}</a>
            ) : (
              <p class="group">
                <Text>{item.group}</Text> <span class="badge">{item.count}</span>
              </p>
            )}
          </li>
        ))}
        {spacer(items.length - last)}
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
  useWindowEvent("scroll", measure);
  useWindowEvent("resize", measure);
  return { ...range, first: Math.min(range.first, count), last: Math.min(range.last, count) };
}
