/** Files for `pulumi import -f`. */
import { dynamicToken, nativeToken } from "../../../provider/definition/type-token";
import { SECRET_SIGNATURE, SIGNATURE } from "../../../provider/plan/property-values";
import type { PropertyMap } from "../../../provider/schema/schema";
import { joinContainedId } from "../../../provider/text/container-id";
import { stubOf } from "../../../sdk/nodejs/stub";
import { type Adopted, definitionOf, isPlainObject, Secret } from "../types";

/** Formats the file for dynamic resources. It has inputs and outputs, which the engine cannot read from such a resource. */
export function formatDynamicImportFile(all: readonly Adopted[]): string {
  return formatFile(
    all.map(({ kind, id, name, inputs, outputs }) => {
      const { kind: resource } = definitionOf(kind);
      const values = replaceSecrets(inputs) as PropertyMap;
      return {
        type: dynamicToken(resource),
        name,
        id,
        inputs: { ...values, __provider: stubOf(resource) },
        outputs: { ...values, ...outputs },
      };
    }),
  );
}

/** Formats the file for the native provider, which reads everything else from the server. */
export function formatNativeImportFile(all: readonly Adopted[]): string {
  return formatFile(
    all.map(({ kind, id, name, inputs }) => {
      const { kind: resource, schema } = definitionOf(kind);
      return { type: nativeToken(resource), name, id: joinContainedId(id, inputs, schema.container) };
    }),
  );
}

const formatFile = (resources: readonly object[]) => `${JSON.stringify({ resources }, null, 2)}\n`;

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
