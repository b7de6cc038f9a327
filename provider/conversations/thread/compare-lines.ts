/** Compares the checkpoints of two servers. */
import { isObject, isSameJson } from "../lossless-json";
import type { Checkpoint } from "../server/conversation-server";
import { isAbandoned, isEnd, isMessage } from "./plan";

/** Returns the values of a checkpoint that a server can keep. */
export const keptValues = ({ values }: Checkpoint, isPython: boolean): unknown =>
  isPython ? withoutUsage(values) : values;

/** Returns a written line without the checkpoints with which a restore ends runs, and with the steps that it had. */
export function withoutEnds(expected: readonly Checkpoint[], written: readonly Checkpoint[]): Checkpoint[] {
  const kept: Checkpoint[] = [];
  for (const [index, state] of written.entries()) {
    const wanted = expected[kept.length];
    if (wanted && isAbandoned(expected[kept.length - 1], wanted) && isEndBeforeInput(written, index)) continue;
    const { step } = state.metadata;
    const metadata = { ...state.metadata, ...(step !== undefined && { step: step - (index - kept.length) }) };
    kept.push({ ...state, metadata });
  }
  return kept;
}

/** A line that ends with it has no further input: then it is the latest state. */
const isEndBeforeInput = (line: readonly Checkpoint[], index: number): boolean => {
  const [before, state] = [line[index - 1], line[index]];
  return before !== undefined && state !== undefined && index < line.length - 1 && isEnd(before, state);
};

export function compareLines(
  expected: readonly Checkpoint[],
  written: readonly Checkpoint[],
  isPython: boolean,
): string[] {
  const differences = expected.flatMap((state, index) => {
    const other = written[index];
    if (!other) return [];
    const isNext = isSameJson([...state.next].sort(), [...other.next].sort());
    return [
      ...(isSameJson(keptValues(state, isPython), keptValues(other, isPython))
        ? []
        : [`the values of checkpoint ${index + 1} differ`]),
      ...(isNext
        ? []
        : [
            `checkpoint ${index + 1} continues with ${other.next.join(", ") || "nothing"} in place of ` +
              `${state.next.join(", ") || "nothing"}`,
          ]),
      ...(state.metadata.step === other.metadata.step ? [] : [`checkpoint ${index + 1} has another step`]),
    ];
  });
  const isComplete = expected.length === written.length;
  return isComplete ? differences : [...differences, `${written.length} checkpoints in place of ${expected.length}`];
}

function withoutUsage(values: unknown): unknown {
  if (Array.isArray(values)) return values.map(withoutUsage);
  if (!isObject(values)) return values;
  const entries = Object.entries(values).filter(([key]) => !(isMessage(values) && key === "usage_metadata"));
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutUsage(part)]));
}

export function countUsage(values: unknown): number {
  if (typeof values !== "object" || values === null) return 0;
  const own = isMessage(values) && values.usage_metadata != null ? 1 : 0;
  return Object.values(values).reduce((count: number, part) => count + countUsage(part), own);
}
