/** A look-up -> its two forms: an async function, and one that takes Inputs and returns an Output. */
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

/** Makes both forms. Their types come from the generated lookups.ts, so that users see fields and sentences. */
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

/** What Pulumi's own functions take; the last three have no meaning here. */
const OPTIONS = ["provider", "parent", "version", "pluginDownloadURL", "async"];

/** In JavaScript nobody else would notice that the wrong workspace is asked. */
function checkOptions(name: string, options: object, known: readonly string[]): void {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const unknown = given.map(([key]) => key).find((key) => !known.includes(key));
  if (unknown === "dependsOn") {
    throw new pulumi.RunError(`${name}: dependsOn is an option of ${name}Output alone, which can wait for resources.`);
  }
  if (unknown)
    throw new pulumi.RunError(`${name}: unknown option "${unknown}"; expected provider, parent or dependsOn.`);
}

async function knownSettings(name: string, provider: Provider): Promise<Settings> {
  const settings = settingsOf(provider);
  if (await isKnown(settings)) return promiseOf(settings);
  throw new pulumi.RunError(
    `${name}: the settings of its Provider are not known in this preview. Call ${name}Output instead, which waits for them.`,
  );
}

/** Secret as a whole, wherever it goes, while the fields that are none can be used in clear. */
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
 * What the engine shows of an error made for people is its message alone, without a stack.
 * @param settings Those of the Provider; the stack's when absent.
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
  // Loaded here and not above: zod and undici are slow to load, and most programs look nothing up.
  const lookups = require("../provider/functions") as typeof import("../provider/functions");
  try {
    return await lookups.run(name, args, settings ? (key) => settings[key] : ofStack);
  } catch (error) {
    throw error instanceof lookups.UserError ? new pulumi.RunError(`${name}: ${error.message}`) : error;
  }
}
