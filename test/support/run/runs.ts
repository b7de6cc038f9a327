/** How much of its inputs a test tries. */

/**
 * The share that `npm test` tries; `npm run test:release` sets FUZZ_RUNS=8 and tries all. Searches for defects set
 * more: `FUZZ_RUNS=100 npx jest <file>`.
 */
export const SHARE = Number(process.env.FUZZ_RUNS ?? 1) / 8;

/** @param all The number of inputs before a release. */
export const runs = (all: number): { numRuns: number } => ({ numRuns: Math.ceil(all * SHARE) });

/** Whether this run tries everything, as the one before a release does. */
export const isComplete = SHARE >= 1;
