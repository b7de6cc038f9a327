/** The file that `pulumi import -f` takes: with inputs and outputs, as only so it can import what a package in the program provides. */
import type { Bag } from "../../provider/schema";
import { stubOf, tokenOf } from "../../sdk/resource";
import { UNSEEN } from "./declare";
import { type Adopted, CLASSES, isBag, Secret } from "./found";

export function importFile(all: readonly Adopted[]): string {
  const resources = all.map(({ kind, id, name, inputs, outputs }) => {
    const { resource } = CLASSES[kind];
    const known = withoutSecrets(inputs);
    return {
      ...{ type: tokenOf(resource), name, id },
      inputs: { ...known, __provider: stubOf(resource) },
      outputs: { ...known, ...outputs },
    };
  });
  return `${JSON.stringify({ resources }, null, 2)}\n`;
}

/** What stands in this file is kept as plain text, so it holds no secret: the first `up` brings them. */
function withoutSecrets(inputs: Bag): Bag {
  const entries = Object.entries(inputs).flatMap(([key, value]): [string, unknown][] => {
    if (value instanceof Secret) return value.isRequired ? [[key, UNSEEN]] : [];
    if (!isBag(value)) return [[key, value]];
    const kept = withoutSecrets(value);
    const onlySecrets = Object.keys(kept).length === 0 && Object.keys(value).length > 0;
    return onlySecrets ? [] : [[key, kept]];
  });
  return Object.fromEntries(entries);
}
