import { run } from "../../provider/functions";
import type { facts } from "../../sdk/lookups";
import type { Platform } from "./platform";
import { tracingSettings } from "./tracing";

let programs = 0;

/** The plain form as a program calls it; the types of the answers are those that users see (test/sdk/types.ts). */
// biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every kind.
export type LookUp = (name: keyof typeof facts, args?: object) => Promise<any>;

/** A program that looks things up, with a connection of its own. */
export function program(platform: Pick<Platform, "clock" | "url">, config: Record<string, string> = {}): LookUp {
  const settings: Record<string, string> = {
    controlPlaneUrl: platform.url,
    apiKey: `program-${programs++}`,
    ...tracingSettings(platform),
    ...config,
  };
  return (name, args) => run(name, args, (key) => settings[key.replace("agentgraph:", "")], platform.clock);
}
