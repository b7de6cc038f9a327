/** Measured figures, and how they are printed. */

/** A result, with its target. */
export interface Figure {
  what: string;
  unit: string;
  most?: number;
  least?: number;
  measured: number;
  how: string;
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function print(figures: readonly Figure[]) {
  const value = (number: number, unit: string) =>
    `${Number.isInteger(number) ? number : number.toFixed(number < 10 ? 2 : 0)} ${unit}`;
  const rows = figures.map(({ what, unit, most = Infinity, least = -Infinity, measured }) => [
    what,
    least > -Infinity ? `at least ${value(least, unit)}` : `at most ${value(most, unit)}`,
    value(measured, unit),
    least <= measured && measured <= most ? "" : "MISSED",
  ]);
  console.log();
  table([["Benchmark", "Target", "Measured", ""], ...rows]);
  console.log("\nMethod");
  for (const { what, how } of figures) console.log(`  ${what}: ${how}`);
}

export function table(rows: readonly string[][]) {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd((widths[column] ?? 0) + 2)).join("");
  for (const row of rows) console.log(line(row).trimEnd());
}
