/** The file for `pulumi import -f`. It has inputs and outputs, which the engine needs to import dynamic resources. */
import { dynamicToken } from "../../provider/definition/type-token";
import { SECRET_SIGNATURE, SIGNATURE } from "../../provider/plan/property-values";
import type { PropertyMap } from "../../provider/schema/schema";
import { stubOf } from "../../sdk/stub";
import { type Adopted, definitionOf, isPlainObject, Secret } from "./types";

export function formatImportFile(all: readonly Adopted[]): string {
  const resources = all.map(({ kind, id, name, inputs, outputs }) => {
    const { kind: resource } = definitionOf(kind);
    const values = replaceSecrets(inputs) as PropertyMap;
    return {
      type: dynamicToken(resource),
      name,
      id,
      inputs: { ...values, __provider: stubOf(resource) },
      outputs: { ...values, ...outputs },
    };
  });
  return `${JSON.stringify({ resources }, null, 2)}\n`;
}

function replaceSecrets(value: unknown): unknown {
  if (value instanceof Secret) return value.isDeclaredSecret ? value.placeholder : secretValue(value.placeholder);
  if (Array.isArray(value)) return value.map(replaceSecrets);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaceSecrets(part)]));
}

/** Returns a secret in the form of the CLI, so that the value that a refresh reads is secret as well. */
const secretValue = (text: string) => ({
  [SIGNATURE]: SECRET_SIGNATURE,
  plaintext: JSON.stringify(text),
});
