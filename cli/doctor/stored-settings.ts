/**
 * Compares the settings in the stack configuration with those in state, which commands that do not run the program use.
 * Values are never printed.
 */
import { isDeepStrictEqual } from "node:util";
import { settingKeys } from "../../provider/settings/settings-schema";
import type { Check } from "../shared/check";
import type { Config, StackConfig } from "../shared/pulumi/stack-config";
import type { StateResource } from "../shared/pulumi/state";

/** The plugins of dynamic resources and of the native provider. */
const PROVIDER_TYPE = /^pulumi:providers:(pulumi-nodejs|agentgraph)$/;
const NAMESPACE = "agentgraph:";

/**
 * Returns nothing where the two agree.
 * @param resources The state; undefined if it could not be read.
 */
export function checkStoredSettings({ config }: StackConfig, resources: readonly StateResource[] | undefined): Check[] {
  const id = "stored-settings";
  if (!resources) {
    const message = "the settings in state were not compared, because the state could not be read";
    return [{ id, status: "skipped", message }];
  }
  const providers = storedSettings(resources);
  const changed = settingKeys.filter((key) =>
    providers.some((stored) => !isEqual(config[NAMESPACE + key], stored[key])),
  );
  if (changed.length === 0) return [];
  return [
    {
      id,
      status: "note",
      message:
        `in the stack configuration, ${changed.join(", ")} changed since the last \`pulumi up\`; \`pulumi ` +
        "refresh` and `pulumi destroy` still use the settings in state",
      remedy: "Run `pulumi up`, or add --run-program to those commands.",
    },
  ];
}

/** Returns the settings of each default provider. An explicit Provider does not use the stack configuration. */
const storedSettings = (resources: readonly StateResource[]): Config[] =>
  resources
    .filter(({ type = "", urn = "" }) => PROVIDER_TYPE.test(type) && /::default(_[^:]*)?$/.test(urn))
    .map(({ inputs = {} }) =>
      Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key.replace(NAMESPACE, ""), decrypted(value)])),
    );

/** Returns a value of the state with its decrypted secrets in place. */
function decrypted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(decrypted);
  const { plaintext } = value as { plaintext?: unknown };
  if (typeof plaintext === "string") return decrypted(JSON.parse(plaintext));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, decrypted(part)]));
}

/** The configuration contains text, and the state a value or its JSON. */
const isEqual = (configured: unknown, stored: unknown) => isDeepStrictEqual(parsed(configured), parsed(stored));

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value.trim();
  }
}
