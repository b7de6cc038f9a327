import { functionsOfProgram } from "../../../provider/functions";
import type { metadata } from "../../../sdk/nodejs/functions";
import { tracingSettings } from "../../support/exports/tracing";
import { type Platform, startPlatform } from "../../support/platform";

let programs = 0;

/** Calls the plain form of a function. The types of results are checked in test/sdk/types/types.ts. */
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

/** Starts a platform with a live revision, and reads its log. @param without Features that the platform lacks. */
export async function startLogs(...without: string[]) {
  const platform = await startPlatform({ without });
  const created = await platform.call("POST", "/v2/deployments", {
    ...{ name: "agent", source: "external_docker", source_config: { resource_spec: {} }, secrets: [] },
    source_revision_config: { image_uri: "registry.example.com/agent:1" },
  });
  const { id: deploymentId, latest_revision_id: revisionId } = created.body;
  await platform.advance(60_000);
  await platform.emulator.requestLog.clear();
  const call = program(platform);
  const log = (more: object = {}) => call("getRevisionLogs", { deploymentId, revisionId, type: "deploy", ...more });
  return { platform, log };
}
