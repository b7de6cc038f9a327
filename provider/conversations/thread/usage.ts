/** Token counts of AI messages, which a server in Python moves elsewhere when they are written again. */
import { isObject } from "../lossless-json";
import { isMessage } from "./plan";

/** Returns values without the token counts of AI messages. */
export function withoutUsage(values: unknown): unknown {
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
