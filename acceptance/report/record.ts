/** `--record`: notes which facts a kind of server was seen to obey, and when. */
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "./report.ts";

const FILE = join(dirname(fileURLToPath(import.meta.url)), "../../docs/internal/checked-facts.json");

/** By fact and kind of server, the day on which it was seen to hold. */
type Record = { [id: string]: { emulator?: string; server?: string } };

export async function record({ facts, server, date }: Report): Promise<void> {
  const known: Record = JSON.parse(await readFile(FILE, "utf8").catch(() => "{}"));
  for (const { id, seen } of facts) {
    if (seen === "holds") known[id] = { ...known[id], [server]: date.slice(0, 10) };
    else if (seen === "differs") delete known[id]?.[server];
  }
  const sorted = Object.entries(known).sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = sorted.map(([id, seen]) => `  ${JSON.stringify(id)}: ${inOneLine(seen)}`);
  await writeFile(FILE, `{\n${rows.join(",\n")}\n}\n`);
}

/** A fact takes one line, so that a difference shows which fact was checked. */
const inOneLine = (seen: object) => JSON.stringify(seen, null, 1).replace(/\n\s*/g, " ");
