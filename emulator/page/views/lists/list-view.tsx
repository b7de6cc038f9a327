import { emulatedNow, type Live } from "../../data/live";
import { useParameter } from "../../data/route";
import { CheckField, TextField } from "../../ui/fields";
import { formatCount } from "../../ui/format";
import { Heading } from "../../ui/heading";
import { List } from "../../ui/list";
import { ToneIcon } from "../../ui/status";
import { Empty } from "../../ui/text";
import type { Kind } from "./kind";

interface ListViewProps<Row> {
  kind: Kind<Row>;
  live: Live;
}

interface KindListProps<Row> extends ListViewProps<Row> {
  /** Which ones, as those of a deployment. Default: all. */
  only?(row: Row): boolean;
}

/** The view of all objects of a kind. */
export function ListView<Row>({ kind, live }: ListViewProps<Row>) {
  return (
    <>
      <Heading title={kind.title} />
      <p class="hint">{kind.hint}</p>
      <KindList kind={kind} live={live} />
    </>
  );
}

/** The objects of a kind: first what is in progress, waits or failed, then what changed last. */
export function KindList<Row>({ kind, live, only }: KindListProps<Row>) {
  const [search, setSearch] = useParameter("search");
  const [state, setState] = useParameter("state");
  const [grouping, setGrouping] = useParameter("group");
  const all = only ? kind.rowsOf(live).filter(only) : kind.rowsOf(live);
  const words = search.trim().toLowerCase();
  const found =
    words === "" ? all : all.filter((row) => kind.textsOf(row).some((text) => text?.toLowerCase().includes(words)));
  const rows = inOrder(kind, found).filter((row) => state === "" || kind.stateOf(row) === state);
  const hidden = only ? 0 : live.totals[kind.name] - all.length;
  const groups = new Set(kind.groupOf ? all.map(kind.groupOf) : []);
  if (all.length === 0) return <Empty>{kind.empty}</Empty>;
  return (
    <>
      {all.length > 1 && (
        <form class="filter" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
          <TextField label={kind.searches} type="search" value={search} onChange={setSearch} />
          <Chips kind={kind} rows={found} pressed={state} onPress={setState} />
          {groups.size > 1 && (
            <CheckField
              label="Group by stack"
              checked={grouping !== ""}
              onChange={(checked) => setGrouping(checked ? "stack" : "")}
            />
          )}
        </form>
      )}
      <p class="count">
        {formatCount(rows.length, kind.singular)}
        {hidden > 0 && `, the newest; ${formatCount(hidden, `older ${kind.singular}`)} not listed`}
      </p>
      <List
        label={kind.title}
        rows={rows}
        keyOf={kind.keyOf}
        link={kind.linkTo}
        name={kind.name}
        columns={kind.columns}
        headings={kind.headings}
        groupOf={groups.size > 1 && grouping !== "" ? kind.groupOf : undefined}
      >
        {(row) => kind.cells(row, emulatedNow(live))}
      </List>
    </>
  );
}

interface ChipsProps<Row> {
  kind: Kind<Row>;
  rows: readonly Row[];
  pressed: string;
  onPress(state: string): void;
}

/** How many objects are in each state. A chip limits the list to one. */
function Chips<Row>({ kind, rows, pressed, onPress }: ChipsProps<Row>) {
  const counts = Map.groupBy(rows, kind.stateOf);
  const shown = Object.entries(kind.states).filter(([state]) => counts.has(state) || state === pressed);
  if (shown.length < 2 && pressed === "") return null;
  return (
    <fieldset class="chips">
      <legend>State</legend>
      {shown.map(([state, tone]) => (
        <button
          key={state}
          type="button"
          class={tone}
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

function inOrder<Row>({ states, stateOf, changedAt }: Kind<Row>, rows: readonly Row[]): Row[] {
  const rankOf = (row: Row) => (URGENT.indexOf(states[stateOf(row)] ?? "") + URGENT.length + 1) % (URGENT.length + 1);
  return rows
    .map((row) => ({ row, rank: rankOf(row), at: changedAt(row) }))
    .sort((a, b) => a.rank - b.rank || (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .map(({ row }) => row);
}
