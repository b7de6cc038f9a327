/** The file that `pulumi import -f` takes: with inputs and outputs, as only so it can import what a package in the program provides. */
import type { Bag } from "../../provider/schema";
import { stubOf, tokenOf } from "../../sdk/resource";
import { UNSEEN } from "./declare";
import { type Adopted, CLASSES, isBag, Secret } from "./found";

export function importFile(all: readonly Adopted[]): string {
  const resources = all.map(({ kind, id, name, inputs, outputs }) => {
    const { resource } = CLASSES[kind];
    const known = withoutSecrets(inputs) as Bag;
    return {
      ...{ type: tokenOf(resource), name, id },
      inputs: { ...known, __provider: stubOf(resource) },
      outputs: { ...known, ...outputs },
    };
  });
  return `${JSON.stringify({ resources }, null, 2)}\n`;
}

/** What stands in this file is kept as plain text, so it holds no secret: the first `up` brings them. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isBag(value)) return value;
  const entries = Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
    if (part instanceof Secret) return part.isRequired ? [[key, UNSEEN]] : [];
    const kept = withoutSecrets(part);
    const isGone = isBag(kept) && Object.keys(kept).length === 0 && Object.keys(part as object).length > 0;
    return isGone ? [] : [[key, kept]];
  });
  return Object.fromEntries(entries);
}
