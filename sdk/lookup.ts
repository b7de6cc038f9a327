/** A look-up -> its two forms: an async function, and a twin that takes Inputs and answers an Output. */
import * as pulumi from "@pulumi/pulumi";
import type { LookupFacts, LookupOptions } from "./lookup-types";
import { facts, type Lookups } from "./lookups";
import { checkSettings } from "./program-settings";
import { settingsOf } from "./provider";
import { assertNode } from "./resource";

type Setting = (key: string) => unknown;

/** Makes both forms. Their types come from the generated lookups.ts, so that users see fields and sentences. */
export function lookup<Name extends keyof Lookups>(name: Name): Lookups[Name] {
  const { open }: LookupFacts = facts[name];
  const plain = async (args?: object, ...others: unknown[]) => {
    if (others.length === 0) return run(name, args, ofStack);
    // In JavaScript nobody else would notice that the wrong workspace is asked.
    throw new pulumi.RunError(`${name}: only its twin ${name}Output takes options, such as a Provider.`);
  };
  const twin = (args: pulumi.Input<object> = {}, { provider }: LookupOptions = {}) => {
    const settings = provider === undefined ? undefined : settingsOf(provider);
    const told = pulumi.all([args, settings]).apply(async ([given, own]) => {
      const asked: { withSecrets?: boolean } = open ? { ...given, withSecrets: true } : given;
      const answer = await run(name, asked, own ? (key) => own[key] : ofStack);
      return !open && asked.withSecrets ? pulumi.secret(answer) : answer;
    });
    return open ? partlySecret(told, open) : told;
  };
  return [plain, twin] as unknown as Lookups[Name];
}

/** Secret as a whole, wherever it goes, while the fields that are none can be used in clear. */
function partlySecret(told: pulumi.Output<unknown>, open: readonly string[]): pulumi.Output<unknown> {
  const answer = pulumi.secret(told);
  for (const key of open) {
    Object.defineProperty(answer, key, { get: () => told.apply((known) => (known as Record<string, unknown>)[key]) });
  }
  return answer;
}

const ofStack: Setting = (key) => {
  const [namespace, name = ""] = key.split(":");
  return new pulumi.Config(namespace).get(name);
};

/** What the engine shows of an error made for people is its message alone, without a stack. */
async function run(name: string, args: unknown, setting: Setting): Promise<unknown> {
  assertNode();
  checkSettings();
  // Loaded here and not above: zod and undici are slow to load, and most programs look nothing up.
  const lookups = require("../provider/lookups") as typeof import("../provider/lookups");
  try {
    return await lookups.run(name, args, setting);
  } catch (error) {
    throw error instanceof lookups.PlainError ? new pulumi.RunError(`${name}: ${error.message}`) : error;
  }
}
