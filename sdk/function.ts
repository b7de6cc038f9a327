/** Creates both forms of a function: one returns a Promise; the other accepts Inputs and returns an Output. */
import * as pulumi from "@pulumi/pulumi";
import type { FunctionMetadata, LookupOptions, LookupOutputOptions } from "./function-types";
import { type Functions, metadata } from "./functions";
import { callMock, mocksInUse } from "./mocks";
import { isKnown, promiseOf, whenCreated } from "./outputs";
import { checkSettings } from "./program-settings";
import { type Provider, providerOf, settingsOf } from "./provider";
import { assertNode } from "./resource";

/** Settings by their keys, such as `agentgraph:apiKey`. */
type Settings = Record<string, unknown>;

/** Creates both forms of a function. Their types are in the generated functions.ts. */
export function defineFunction<Name extends keyof Functions>(name: Name): Functions[Name] {
  const { publicFields }: FunctionMetadata = metadata[name];
  const promiseForm = async (args: object = {}, options: LookupOptions = {}) => {
    checkOptions(name, options, OPTIONS);
    const provider = providerOf(options);
    return run(name, args, provider, provider && (await knownSettings(name, provider)));
  };
  const outputForm = (args: pulumi.Input<object> = {}, options: LookupOutputOptions = {}) => {
    checkOptions(name, options, [...OPTIONS, "dependsOn"]);
    const provider = providerOf(options);
    const inputs = pulumi.output(args);
    const created = whenCreated(inputs, options.dependsOn);
    const output = pulumi.all([inputs, provider && settingsOf(provider), created]).apply(async ([values, settings]) => {
      const request: { withSecrets?: boolean } = publicFields ? { ...values, withSecrets: true } : values;
      const result = await run(name, request, provider, settings);
      return !publicFields && request.withSecrets ? pulumi.secret(result) : result;
    });
    return publicFields ? markSecret(output, publicFields) : output;
  };
  return [promiseForm, outputForm] as unknown as Functions[Name];
}

/** Options of Pulumi's own functions; the last three have no effect here. */
const OPTIONS = ["provider", "parent", "version", "pluginDownloadURL", "async"];

/** Rejects unknown options: JavaScript has no other check, and a misspelled option would query the wrong workspace. @throws pulumi.RunError */
function checkOptions(name: string, options: object, supported: readonly string[]): void {
  const present = Object.entries(options).filter(([, value]) => value !== undefined);
  const unknown = present.map(([key]) => key).find((key) => !supported.includes(key));
  if (unknown === "dependsOn") {
    throw new pulumi.RunError(`${name}: the option dependsOn is supported only by ${name}Output.`);
  }
  if (unknown)
    throw new pulumi.RunError(`${name}: unknown option "${unknown}"; expected provider, parent or dependsOn.`);
}

async function knownSettings(name: string, provider: Provider): Promise<Settings> {
  const settings = settingsOf(provider);
  if (await isKnown(settings)) return promiseOf(settings);
  throw new pulumi.RunError(
    `${name}: the settings of its Provider are unknown in this preview. Use ${name}Output, which waits for them.`,
  );
}

/** Marks a result as secret, except for its public fields. */
function markSecret(output: pulumi.Output<unknown>, publicFields: readonly string[]): pulumi.Output<unknown> {
  const secret = pulumi.secret(output);
  for (const key of publicFields) {
    Object.defineProperty(secret, key, {
      get: () => output.apply((fields) => (fields as Record<string, unknown>)[key]),
    });
  }
  return secret;
}

const readStackSetting = (key: string): unknown => {
  const [namespace, name = ""] = key.split(":");
  return new pulumi.Config(namespace).get(name);
};

/**
 * Runs a function.
 * @param settings Settings of the Provider; those of the stack if undefined.
 * @throws pulumi.RunError for an expected error, of which the engine shows only the message.
 */
async function run(
  name: keyof Functions,
  args: object,
  provider: Provider | undefined,
  settings: Settings | undefined,
): Promise<unknown> {
  const { isList = false }: FunctionMetadata = metadata[name];
  checkSettings();
  const mocks = mocksInUse();
  if (mocks) return callMock(mocks, name, args, provider, isList);
  assertNode();
  // Loaded lazily: zod and undici load slowly, and most programs call no function.
  const functions = require("../provider/functions") as typeof import("../provider/functions");
  try {
    return await functions.run(name, args, settings ? (key) => settings[key] : readStackSetting);
  } catch (error) {
    throw error instanceof functions.UserError ? new pulumi.RunError(`${name}: ${error.message}`) : error;
  }
}
