/** What came and what went between two versions of a package, and what the project says of it. */
import type { Inventory } from "./inventory.ts";
import type { Judge, Verdict } from "./verdict.ts";

export interface Change {
  package: string;
  item: string;
  change: "new" | "gone";
  verdict: Verdict;
}

/** @param isAccepted Whether someone has looked at the new items, which the inventory is about to have. */
export function changesBetween(before: Inventory, after: Inventory, judge: Judge, isAccepted: boolean): Change[] {
  const [old, current] = [new Set(before.items), new Set(after.items)];
  const toChange = (change: Change["change"]) => (item: string) => ({
    package: after.name,
    item,
    change,
    verdict: judge(item, after.name, change === "gone" || isAccepted),
  });
  return [
    ...after.items.filter((item) => !old.has(item)).map(toChange("new")),
    ...before.items.filter((item) => !current.has(item)).map(toChange("gone")),
  ];
}

/** New items that neither a fact nor a reason covers. */
export const unknownIn = (changes: readonly Change[]): Change[] =>
  changes.filter(({ change, verdict }) => change === "new" && verdict.status === "unknown");

const describe = ({ status, text }: Verdict): string =>
  ({ fact: `known as fact \`${text}\``, unused: `known and not used: ${text}`, unknown: "**unknown**" })[status];

/** A Markdown table, which an issue can contain as it is. */
export function toTable(changes: readonly Change[]): string {
  const rows = changes.map((one) => `| ${one.package} | \`${one.item}\` | ${one.change} | ${describe(one.verdict)} |`);
  return ["| package | what it sends or accepts | change | the project |", "|---|---|---|---|", ...rows].join("\n");
}
