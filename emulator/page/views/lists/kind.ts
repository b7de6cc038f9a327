import type { ComponentChildren } from "preact";
import type { Live } from "../../data/live";
import type { Tone } from "../../ui/status";

/** One kind of objects in a list: what the list shows, searches and counts. */
export interface Kind<Row> {
  /** The name of its view. */
  name: "deployments" | "assistants" | "crons" | "threads" | "exports";
  title: string;
  singular: string;
  hint: ComponentChildren;
  /** What the view says while there are none. */
  empty: ComponentChildren;
  /** What a search looks through, in words. */
  searches: string;
  rowsOf(live: Live): readonly Row[];
  textsOf(row: Row): readonly (string | null)[];
  /** The names of its states, in the order of their chips. */
  states: Readonly<Record<string, Tone>>;
  stateOf(row: Row): string;
  /** Unique among the objects of all deployments. */
  keyOf(row: Row): string;
  linkTo(row: Row): string;
  /** When the object changed last, in a form that can be compared. */
  changedAt(row: Row): string | number;
  /** The stack that manages it. A list can be grouped by it. */
  groupOf?(row: Row): string;
  headings: readonly string[];
  /** The widths of the columns, in CSS. */
  columns: string;
  cells(row: Row, now: number): ComponentChildren;
}
