/** Shows the progress of a command, once per second. */
import type { CommandContext } from "../shared/subcommand";

const INTERVAL_MS = 1000;

export class ProgressLine {
  private shownAt = 0;

  constructor(private readonly context: Pick<CommandContext, "stderr" | "now">) {}

  show(text: string): void {
    const { stderr, now } = this.context;
    if (now() - this.shownAt < INTERVAL_MS) return;
    this.shownAt = now();
    stderr.write(`${text}\n`);
  }
}

const numbers = new Intl.NumberFormat("en-US");
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${numbers.format(count)} ${count === 1 ? noun : plural}`;
export const formatNumber = (count: number): string => numbers.format(count);
