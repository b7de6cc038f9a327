import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Text } from "./text";

/** Rows outside the window that are rendered as well, so that fast scrolling shows no gap. */
const MARGIN = 10;

interface ListProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** The address that a row opens. */
  link(row: Row): string;
  children(row: Row): ComponentChildren;
  /** The class for what is special about its rows. */
  name: string;
  /** The widths of the columns, in CSS. */
  columns: string;
  /** Titles of the columns, where there is room for them. */
  headings: readonly string[];
  /** Puts the rows of a group below its title, in the order of their first rows. */
  groupOf?: (row: Row) => string;
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
export function List<Row>(props: ListProps<Row>) {
  const { label, rows, name, columns, headings, groupOf } = props;
  const list = useRef<HTMLUListElement>(null);
  const items = itemsOf(rows, groupOf);
  const { first, last, height } = useVisibleRows(list, items.length);
  const spacer = (count: number) => ({ height: `${Math.max(0, count) * height}px` });
  return (
    <div class={`list ${name}`} style={{ "--columns": columns }}>
      <div class="headings" aria-hidden="true">
        {headings.map((heading) => (
          <span key={heading}>{heading}</span>
        ))}
      </div>
      <ul aria-label={label} ref={list}>
        <li class="spacer" aria-hidden="true" style={spacer(first)} />
        {items.slice(first, last).map((item, index) => (
          <li
            key={"row" in item ? props.keyOf(item.row) : item.group}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
          >
            {"row" in item ? (
              <a href={props.link(item.row)}>{props.children(item.row)}</a>
            ) : (
              <p class="group">
                <Text>{item.group}</Text> <span class="badge">{item.count}</span>
              </p>
            )}
          </li>
        ))}
        <li class="spacer" aria-hidden="true" style={spacer(items.length - last)} />
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
