import { functionsOfProgram } from "../../provider/functions";
import type { metadata } from "../../sdk/nodejs/functions";
import type { Platform } from "./platform";
import { tracingSettings } from "./tracing";

let programs = 0;

/** Calls the plain form of a function. The types of results are checked in test/sdk/types.ts. */
// biome-ignore lint/suspicious/noExplicitAny: results have many types.
export type CallFunction = (name: keyof typeof metadata, args?: object) => Promise<any>;

/** A program that calls functions, with its own API key and so its own clients. */
export function program(platform: Pick<Platform, "clock" | "url">, config: Record<string, string> = {}): CallFunction {
  const settings: Record<string, string> = {
    controlPlaneUrl: platform.url,
    apiKey: `program-${programs++}`,
    ...tracingSettings(platform),
    ...config,
  };
  const runner = functionsOfProgram(platform.clock);
  return (name, args) => runner.run(name, args, (key) => settings[key.replace("agentgraph:", "")]);
}
