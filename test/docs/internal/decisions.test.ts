/** The records of design decisions: complete, in the index, and about code that exists. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, textOf } from "../support/markdown";

const page = textOf("docs/internal/decisions.md");
const records = page
  .split(/^### /m)
  .slice(1)
  .map((record) => [record.split("\n")[0] ?? "", record] as const);

test.each(records)(
  "The record '%s' has a decision, a reason, a trade-off, a status with a date, what would change it, and its files",
  (_title, record) => {
    const parts = [...record.matchAll(/^- \*\*([\w -]+):\*\*\s+\S/gm)].map(([, name]) => name);
    expect(parts).toEqual(["Decision", "Reason", "Trade-off", "Status", "Revisit when", "In"]);
    expect(record).toMatch(/^- \*\*Status:\*\* (accepted|frozen|assumed), \d{4}-\d\d-\d\d$/m);
    const files = [...((record.split("- **In:**")[1] ?? "").split("\n\n")[0]?.matchAll(/`([^`]+)`/g) ?? [])];
    expect(files.map(([, file = ""]) => file).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  },
);

test("The index lists every record once, in their order", () => {
  const [index = ""] = page.split(/^## /m);
  expect([...index.matchAll(/\[([^\]]+)\]\(#/g)].map(([, title]) => title)).toEqual(records.map(([title]) => title));
});
