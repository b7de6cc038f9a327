// Prints a table that grows by a row with each stack that has finished. In a terminal, a line below it shows what is
// running.
import { clearLine, cursorTo } from "node:readline";

export type Result = "succeeded" | "failed" | "unchanged";

export interface Outcome {
  result: Result;
  /** The number of agents by operation of the engine, such as { update: 2, same: 48 }. */
  agents: Record<string, number>;
  errors: string[];
}

/** Errors of a stack that are printed; all are in its log. */
const MAX_ERRORS = 5;

export class Progress {
  private readonly stacks: readonly string[];
  private readonly running = new Map<string, { begin: number; agents: number }>();
  private readonly finished = new Map<string, Result>();
  private readonly timer = process.stdout.isTTY ? setInterval(() => this.showRunning(), 500) : undefined;

  constructor(stacks: readonly string[]) {
    this.stacks = stacks;
    this.print(this.row("stack", "result", "seconds", "agents"));
  }

  start(stack: string): void {
    this.running.set(stack, { begin: performance.now(), agents: 0 });
  }

  countAgent(stack: string): void {
    const running = this.running.get(stack);
    if (running) running.agents += 1;
  }

  finish(stack: string, { result, agents, errors }: Outcome): void {
    const seconds = (performance.now() - (this.running.get(stack)?.begin ?? 0)) / 1000;
    this.running.delete(stack);
    this.finished.set(stack, result);
    const counts = Object.entries(agents).map(([operation, count]) => `${count} ${operation}`);
    this.print(this.row(stack, result, seconds.toFixed(0), counts.join(", ")));
    for (const error of errors.slice(0, MAX_ERRORS)) this.print(`  ${error.split("\n")[0]}`);
    if (errors.length > MAX_ERRORS) this.print(`  … and ${errors.length - MAX_ERRORS} more errors`);
  }

  /** Adds the stacks that were not started. Returns whether all have succeeded. */
  end(): boolean {
    clearInterval(this.timer);
    for (const stack of this.stacks) if (!this.finished.has(stack)) this.print(this.row(stack, "not started", "", ""));
    const results = ["succeeded", "unchanged", "failed", "not started"].map((result) => {
      const count = this.stacks.filter((stack) => (this.finished.get(stack) ?? "not started") === result).length;
      return count === 0 ? [] : `${count} ${result}`;
    });
    this.print(`${this.stacks.length} ${this.stacks.length === 1 ? "stack" : "stacks"}: ${results.flat().join(", ")}`);
    return this.stacks.every((stack) => ["succeeded", "unchanged"].includes(this.finished.get(stack) ?? ""));
  }

  private row(stack: string, result: string, seconds: string, agents: string): string {
    const width = Math.max(...this.stacks.map(({ length }) => length));
    return `${stack.padEnd(width)}  ${result.padEnd(11)}  ${seconds.padStart(7)}  ${agents}`.trimEnd();
  }

  private print(line: string): void {
    if (this.timer) this.clear();
    console.log(line);
  }

  private showRunning(): void {
    const stacks = [...this.running].map(([stack, { begin, agents }]) => {
      const seconds = Math.round((performance.now() - begin) / 1000);
      return `${stack} ${seconds} s, ${agents} agents`;
    });
    this.clear();
    const text = `${this.finished.size} of ${this.stacks.length} stacks finished. Running: ${stacks.join("; ")}`;
    process.stdout.write(text.slice(0, process.stdout.columns - 1));
  }

  private clear(): void {
    clearLine(process.stdout, 0);
    cursorTo(process.stdout, 0);
  }
}
