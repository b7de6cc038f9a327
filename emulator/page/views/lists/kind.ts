import type { ComponentChildren } from "preact";
import type { Rows } from "../../data/types";
import type { Columns } from "../../ui/list";
import type { Tone } from "../../ui/status";

/** One kind of objects in a list: what the list shows, searches and counts. */
export interface Kind<Name extends keyof Rows, Row = Rows[Name]> extends Columns<Row> {
  /** The name of its view, and of its objects. */
  name: Name;
  hint: ComponentChildren;
  /** What the view says while there are none. */
  empty: ComponentChildren;
  /** What a search looks through, in words. */
  searches: string;
  textsOf(row: Row): readonly (string | null)[];
  /** The names of its states, in the order of their chips. */
  states: Readonly<Record<string, Tone>>;
  stateOf(row: Row): string;
  /** When the object changed last, in a form that can be compared. */
  changedAt(row: Row): string | number;
  /** The stack that manages it. A list can be grouped by it. */
  groupOf?(row: Row): string;
}
