// Decides which stack runs when.

export interface Limits {
  /** How many stacks run at the same time. */
  atOnce: number;
  /** After so many failures, no other stack of the wave starts. After a wave with a failure, no other wave starts. */
  stopAfter: number;
}

/**
 * Calls `run`, which returns whether a stack succeeded, for the stacks of one wave after another. Stacks in progress
 * always finish.
 */
export async function runWaves(
  waves: readonly string[][],
  { atOnce, stopAfter }: Limits,
  isStopping: () => boolean,
  run: (stack: string) => Promise<boolean>,
): Promise<void> {
  let failures = 0;
  for (const wave of waves) {
    const waiting = [...wave];
    const work = async () => {
      while (waiting.length > 0 && failures < stopAfter && !isStopping()) {
        if (!(await run(waiting.shift() ?? ""))) failures += 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    if (failures > 0 && stopAfter < Infinity) return;
  }
}
