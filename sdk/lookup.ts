/** Creates both forms of a function: one returns a Promise; the other accepts Inputs and returns an Output. */
import * as pulumi from "@pulumi/pulumi";
import type { LookupFacts, LookupOptions, LookupOutputOptions } from "./lookup-types";
import { facts, type Lookups } from "./lookups";
import { callMock, mocksInUse } from "./mocks";
import { isKnown, promiseOf, whenCreated } from "./outputs";
import { checkSettings } from "./program-settings";
import { type Provider, providerOf, settingsOf } from "./provider";
import { assertNode } from "./resource";

/** Settings by their keys, such as `agentgraph:apiKey`. */
type Settings = Record<string, unknown>;

/** Creates both forms of a function. Their types are in the generated lookups.ts. */
export function lookup<Name extends keyof Lookups>(name: Name): Lookups[Name] {
  const { open }: LookupFacts = facts[name];
  const plain = async (args: object = {}, options: LookupOptions = {}) => {
    checkOptions(name, options, OPTIONS);
    const provider = providerOf(options);
    return run(name, args, provider, provider && (await knownSettings(name, provider)));
  };
  const twin = (args: pulumi.Input<object> = {}, options: LookupOutputOptions = {}) => {
    checkOptions(name, options, [...OPTIONS, "dependsOn"]);
    const provider = providerOf(options);
    const inputs = pulumi.output(args);
    const created = whenCreated(inputs, options.dependsOn);
    const told = pulumi.all([inputs, provider && settingsOf(provider), created]).apply(async ([given, settings]) => {
      const asked: { withSecrets?: boolean } = open ? { ...given, withSecrets: true } : given;
      const answer = await run(name, asked, provider, settings);
      return !open && asked.withSecrets ? pulumi.secret(answer) : answer;
    });
    return open ? partlySecret(told, open) : told;
  };
  return [plain, twin] as unknown as Lookups[Name];
}

/** Options of Pulumi's own functions; the last three have no effect here. */
const OPTIONS = ["provider", "parent", "version", "pluginDownloadURL", "async"];

/** Rejects unknown options: JavaScript has no other check, and a misspelled option would query the wrong workspace. @throws pulumi.RunError */
function checkOptions(name: string, options: object, known: readonly string[]): void {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const unknown = given.map(([key]) => key).find((key) => !known.includes(key));
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
function partlySecret(told: pulumi.Output<unknown>, open: readonly string[]): pulumi.Output<unknown> {
  const answer = pulumi.secret(told);
  for (const key of open) {
    Object.defineProperty(answer, key, { get: () => told.apply((known) => (known as Record<string, unknown>)[key]) });
  }
  return answer;
}

const ofStack = (key: string): unknown => {
  const [namespace, name = ""] = key.split(":");
  return new pulumi.Config(namespace).get(name);
};

/**
 * Runs a function.
 * @param settings Settings of the Provider; those of the stack if undefined.
 * @throws pulumi.RunError for an expected error, of which the engine shows only the message.
 */
async function run(
  name: keyof Lookups,
  args: object,
  provider: Provider | undefined,
  settings: Settings | undefined,
): Promise<unknown> {
  const { list = false }: LookupFacts = facts[name];
  checkSettings();
  const mocks = mocksInUse();
  if (mocks) return callMock(mocks, name, args, provider, list);
  assertNode();
  // Loaded lazily: zod and undici load slowly, and most programs call no function.
  const lookups = require("../provider/functions") as typeof import("../provider/functions");
  try {
    return await lookups.run(name, args, settings ? (key) => settings[key] : ofStack);
  } catch (error) {
    throw error instanceof lookups.UserError ? new pulumi.RunError(`${name}: ${error.message}`) : error;
  }
}
