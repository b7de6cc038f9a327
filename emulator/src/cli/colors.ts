import { styleText } from "node:util";
import type { Surroundings } from "./subcommand";

type Colour = Parameters<typeof styleText>[0];
export type Paint = (colour: Colour, text: string) => string;

/** Colours for a terminal; a file or a pipe gets none, and nobody who does not want them. */
export function painter({ stdout, env }: Pick<Surroundings, "stdout" | "env">): Paint {
  const coloured = stdout.isTTY === true && !env.NO_COLOR;
  return (colour, text) => (coloured ? styleText(colour, text, { validateStream: false }) : text);
}

/** Rows as columns of equal width; the last one is as long as it is. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, at) => Math.max(cell.length, known[at] ?? 0)),
    [],
  );
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join("  "),
  );
}

/** "1 fault", "2 faults". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** "a", "a and b", "a, b and c". */
export function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}
