/** Describes the inputs of a class whose arguments have variants. */
import { descriptionOf } from "../../../dist/provider/schema/model.js";
import type { Shape } from "./writer.ts";

/** The arguments of a kind for one value of its discriminator; the only ones of a kind without one. */
export interface Variant {
  value: unknown;
  shape: Shape;
  interface: string;
}

/** Returns the description of an input: where variants of the arguments differ in it, what it means for each. */
export function describeInput(key: string, variants: readonly Variant[], discriminator = ""): string[] {
  const having = variants.flatMap(({ value, shape: { [key]: field } }) =>
    field ? { value: `\`${value}\``, description: descriptionOf(field, key) } : [],
  );
  const byDescription = Map.groupBy(having, ({ description }) => description);
  const isInAll = having.length === variants.length;
  const valuesIn = (some: typeof having) => some.map(({ value }) => value).join(", ");
  const [only = ""] = byDescription.keys();
  if (byDescription.size === 1)
    return [isInAll ? only : `${only} Only if \`${discriminator}\` is ${valuesIn(having)}.`];
  const rows = [...byDescription].map(([description, some]) => `- ${valuesIn(some)}: ${description}`);
  if (key === discriminator) return ["Determines which other fields exist.", ...rows];
  return [`Depends on \`${discriminator}\`${isInAll ? "" : ", and is undefined for values not listed here"}.`, ...rows];
}
