import { styleText } from "node:util";
import type { Surroundings } from "./subcommand";

type Color = Parameters<typeof styleText>[0];
export type Paint = (color: Color, text: string) => string;

/** Returns a function that colors text on a terminal, unless NO_COLOR is set. */
export function painter({ stdout, env }: Pick<Surroundings, "stdout" | "env">): Paint {
  const isEnabled = stdout.isTTY === true && !env.NO_COLOR;
  return (color, text) => (isEnabled ? styleText(color, text, { validateStream: false }) : text);
}

/** Aligns rows in columns; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, at) => Math.max(cell.length, known[at] ?? 0)),
    [],
  );
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join("  "),
  );
}

/** Formats "1 fault", "2 faults". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Formats "a", "a and b", "a, b and c". */
export function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}
