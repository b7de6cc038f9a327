/** Files for `pulumi import -f`. */
import { AGENT_SERVICE } from "../../../provider/components/agent-service";
import { dynamicToken, nativeToken } from "../../../provider/definition/type-token";
import { SECRET_SIGNATURE, SIGNATURE } from "../../../provider/plan/property-values";
import type { PropertyMap } from "../../../provider/schema/schema";
import { joinContainedId } from "../../../provider/text/container-id";
import { stubOf } from "../../../sdk/nodejs/stub";
import { type Adopted, definitionOf, isPlainObject, Secret } from "../types";

/**
 * Formats the file for dynamic resources. It has inputs and outputs, which the engine cannot read from such a resource.
 */
export function formatDynamicImportFile(all: readonly Adopted[]): string {
  return formatFile(
    all,
    all.map(({ kind, id, name, inputs, outputs, service }) => {
      const { kind: resource } = definitionOf(kind);
      const values = replaceSecrets(inputs) as PropertyMap;
      return {
        type: dynamicToken(resource),
        name,
        id,
        ...parentOf(service),
        inputs: { ...values, __provider: stubOf(resource) },
        outputs: { ...values, ...outputs },
      };
    }),
  );
}

/** Formats the file for the native provider, which reads everything else from the server. */
export function formatNativeImportFile(all: readonly Adopted[]): string {
  return formatFile(
    all,
    all.map(({ kind, id, name, inputs, service }) => {
      const { kind: resource, schema } = definitionOf(kind);
      const fullId = joinContainedId(id, inputs, schema.container);
      return { type: nativeToken(resource), name, id: fullId, ...parentOf(service) };
    }),
  );
}

/** Formats the resources of a program, after the components that they belong to. */
function formatFile(all: readonly Adopted[], resources: readonly object[]): string {
  const services = new Set(all.flatMap(({ service }) => service?.name ?? []));
  const components = [...services].map((name) => ({
    ...{ type: nativeToken(AGENT_SERVICE), name: entryOf(name), logicalName: name, component: true },
  }));
  return `${JSON.stringify({ resources: [...components, ...resources] }, null, 2)}\n`;
}

const parentOf = (service: Adopted["service"]) => service && { parent: entryOf(service.name) };

/**
 * Returns what the file calls a component: its deployment has the same name, by which nothing else could refer to it.
 */
const entryOf = (service: string) => `${service} (${AGENT_SERVICE})`;

function replaceSecrets(value: unknown): unknown {
  if (value instanceof Secret) return value.isDeclaredSecret ? value.placeholder : secretValue(value.placeholder);
  if (Array.isArray(value)) return value.map(replaceSecrets);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaceSecrets(part)]));
}

/** Returns a secret in the form of the CLI, so that the value that a refresh reads is secret as well. */
const secretValue = (text: string) => ({ [SIGNATURE]: SECRET_SIGNATURE, plaintext: JSON.stringify(text) });
