import { descending, type Lists, pathOf, useLive } from "../../data/live";
import { linkTo, useParameters } from "../../data/route";
import type { Rows } from "../../data/types";
import { CheckField, TextField } from "../../ui/fields";
import { capitalize, formatCount } from "../../ui/format";
import { List } from "../../ui/list";
import { ToneIcon } from "../../ui/status";
import { Empty, Heading } from "../../ui/text";
import type { Kind } from "./kind";

export function ListView<Name extends keyof Rows>({ kind }: { kind: Kind<Name> }) {
  return (
    <>
      <Heading title={capitalize(kind.name)} />
      <p class="hint">{kind.hint}</p>
      <KindList kind={kind} />
    </>
  );
}

interface KindListProps<Name extends keyof Rows> {
  kind: Kind<Name>;
  /** Which ones, as those of a deployment. Default: all. */
  only?(row: Rows[Name]): boolean;
}

/** The objects of a kind: first what is in progress, waits or failed, then what changed last. */
export function KindList<Name extends keyof Rows>({ kind, only }: KindListProps<Name>) {
  const { get, set, text, flag } = useParameters();
  const live = useLive();
  const lists: Lists = live;
  const all = only ? lists[kind.name].filter(only) : lists[kind.name];
  const [state, words] = [get("state"), get("search").trim().toLowerCase()];
  const found =
    words === "" ? all : all.filter((row) => kind.textsOf(row).some((text) => text?.toLowerCase().includes(words)));
  const rows = inOrder(kind, found).filter((row) => state === "" || kind.stateOf(row) === state);
  const hidden = only ? 0 : live.totals[kind.name] - all.length;
  const hasGroups = kind.groupOf !== undefined && new Set(all.map(kind.groupOf)).size > 1;
  const singular = kind.name.slice(0, -1);
  if (all.length === 0) return <Empty>{kind.empty}</Empty>;
  return (
    <>
      {all.length > 1 && (
        <form class="row filter" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
          <TextField label={kind.searches} type="search" {...text("search")} />
          <Chips kind={kind} rows={found} pressed={state} onPress={(pressed) => set("state", pressed)} />
          {hasGroups && <CheckField label="Group by stack" {...flag("group")} />}
        </form>
      )}
      <p class="count minor">
        {formatCount(rows.length, singular)}
        {hidden > 0 && `, the newest; ${formatCount(hidden, `older ${singular}`)} not listed`}
      </p>
      <List
        label={capitalize(kind.name)}
        of={kind}
        rows={rows}
        link={(row) => linkTo(kind.name, ...pathOf(row))}
        groupOf={hasGroups && get("group") ? kind.groupOf : undefined}
      />
    </>
  );
}

interface ChipsProps<Name extends keyof Rows> {
  kind: Kind<Name>;
  rows: readonly Rows[Name][];
  pressed: string;
  onPress(state: string): void;
}

/** How many objects are in each state. A chip limits the list to one. */
function Chips<Name extends keyof Rows>({ kind, rows, pressed, onPress }: ChipsProps<Name>) {
  const counts = Map.groupBy(rows, kind.stateOf);
  const shown = Object.entries(kind.states).filter(([state]) => counts.has(state) || state === pressed);
  if (shown.length < 2 && pressed === "") return null;
  return (
    <fieldset class="row chips">
      <legend class="minor">State</legend>
      {shown.map(([state, tone]) => (
        <button
          key={state}
          type="button"
          class={`row cell ${tone}`}
          aria-pressed={state === pressed}
          onClick={() => onPress(state === pressed ? "" : state)}
        >
          <ToneIcon tone={tone} />
          {state} {(counts.get(state)?.length ?? 0).toLocaleString()}
        </button>
      ))}
    </fieldset>
  );
}

/** The tones that need attention, most urgent first. */
const URGENT = ["active", "waiting", "failed"];

function inOrder<Name extends keyof Rows>({ states, stateOf, changedAt }: Kind<Name>, rows: readonly Rows[Name][]) {
  const rankOf = (row: Rows[Name]) =>
    (URGENT.indexOf(states[stateOf(row)] ?? "") + URGENT.length + 1) % (URGENT.length + 1);
  return rows
    .map((row) => ({ row, rank: rankOf(row), at: changedAt(row) }))
    .sort((a, b) => a.rank - b.rank || descending(a.at, b.at))
    .map(({ row }) => row);
}
