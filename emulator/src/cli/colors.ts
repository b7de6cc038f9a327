import { styleText } from "node:util";
import type { CommandIo } from "./subcommand";

type Color = Parameters<typeof styleText>[0];
export type Paint = (color: Color, text: string) => string;

/** Returns a function that colors text on a terminal, unless NO_COLOR is set. */
export function createPaint({ stdout, env }: Pick<CommandIo, "stdout" | "env">): Paint {
  const isEnabled = stdout.isTTY === true && !env.NO_COLOR;
  return (color, text) => (isEnabled ? styleText(color, text, { validateStream: false }) : text);
}

/** Aligns rows in columns; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (widths, row) => row.map((cell, index) => Math.max(cell.length, widths[index] ?? 0)),
    [],
  );
  return rows.map((row) =>
    row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join("  "),
  );
}

/** Formats "1 fault", "2 faults". */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? singular : plural}`;
}

/** Formats "a", "a and b", "a, b and c". */
export function joinWithAnd(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}
