/** Functions that run in the process of the program. */
import * as pulumi from "@pulumi/pulumi";
import type { FunctionRunner, UserError } from "../../provider/functions";
import type { FunctionMetadata } from "./function-types";
import { type Functions, metadata } from "./functions";
import { checkSettings } from "./program-settings";
import { type Provider, providerOf, settingsOf } from "./provider";
import { assertNode } from "./resource";
import { defineForms } from "./shared/function-forms";
import { callMock, mocksInUse } from "./shared/mocks";
import { isKnown, promiseOf } from "./shared/outputs";

/** Settings by their keys, such as `agentgraph:apiKey`. */
type Settings = Record<string, unknown>;

/** The functions of this program. */
class LazyFunctions {
  private loaded?: { runner: FunctionRunner; UserError: typeof UserError };

  /** Loads them with the first call: zod and undici load slowly, and most programs call no function. */
  load() {
    const { functionsOfProgram, UserError } =
      require("../../provider/functions") as typeof import("../../provider/functions");
    this.loaded ??= { runner: functionsOfProgram(), UserError };
    return this.loaded;
  }
}
const functions = new LazyFunctions();

/** Creates both forms of a function. */
export const defineFunction = <Name extends keyof Functions>(name: Name): Functions[Name] =>
  defineForms<Name, Settings | undefined>(name, {
    knownSettingsOf: async (options) => {
      const provider = providerOf(options);
      return provider && knownSettings(name, provider);
    },
    settingsOf: (options) => {
      const provider = providerOf(options);
      return provider && settingsOf(provider);
    },
    run: (args, options, settings) => run(name, args, providerOf(options), settings),
  });

async function knownSettings(name: string, provider: Provider): Promise<Settings> {
  const settings = settingsOf(provider);
  if (await isKnown(settings)) return promiseOf(settings);
  throw new pulumi.RunError(
    `${name}: the settings of its Provider are unknown in this preview. Use ${name}Output, which waits for them.`,
  );
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
  if (mocks) return callMock(mocks, { name, args, provider, isList });
  assertNode();
  const { runner, UserError } = functions.load();
  try {
    return await runner.run(name, args, settings ? (key) => settings[key] : readStackSetting);
  } catch (error) {
    throw error instanceof UserError ? new pulumi.RunError(`${name}: ${error.message}`) : error;
  } finally {
    await runner.exportTrace();
  }
}
