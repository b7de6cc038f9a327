/** The file for `pulumi import -f`. It has inputs and outputs, which the engine needs to import dynamic resources. */
import { SECRET_SIGNATURE, SIGNATURE } from "../../provider/plan/property-values";
import type { PropertyMap } from "../../provider/schema/schema";
import { stubOf, tokenOf } from "../../sdk/stub";
import { type Adopted, definitionOf, isBag, Secret } from "./types";

export function importFile(all: readonly Adopted[]): string {
  const resources = all.map(({ kind, id, name, inputs, outputs }) => {
    const { kind: resource } = definitionOf(kind);
    const known = withoutSecrets(inputs) as PropertyMap;
    return {
      type: tokenOf(resource),
      name,
      id,
      inputs: { ...known, __provider: stubOf(resource) },
      outputs: { ...known, ...outputs },
    };
  });
  return `${JSON.stringify({ resources }, null, 2)}\n`;
}

function withoutSecrets(value: unknown): unknown {
  if (value instanceof Secret) return value.isKnown ? value.held : marked(value.held);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isBag(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutSecrets(part)]));
}

/** Returns a secret in the form of the CLI, so that the value that a refresh reads is secret as well. */
const marked = (text: string) => ({
  [SIGNATURE]: SECRET_SIGNATURE,
  plaintext: JSON.stringify(text),
});
