/** Runs `agentgraph adopt` in a temporary folder, against an emulator. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EmulatorOptions } from "../../../emulator/src";
import { newFolder } from "../../../emulator/test/support/folder";
import { type Platform, startPlatform } from "../../support/platform";
import { SECRET, tenant } from "./adopt-estate";
import { agentgraph, type Ended } from "./command";

export const KEY = "the-key-of-adopt";
export let folder: string;
export let platform: Platform;

beforeEach(() => {
  folder = newFolder();
});

export async function start(options: EmulatorOptions = {}): Promise<void> {
  platform = await startPlatform({ apiKey: KEY, ...options });
}

/** Lets the command reach the emulator through a proxy. */
export function useProxy(proxy: Pick<Platform, "url">): void {
  platform = { ...platform, ...proxy };
}

/** Sends a request to the emulator. @throws Error if the response is not a success. */
export async function call(method: string, path: string, body?: object): Promise<{ id: string }> {
  const response = await platform.call(method, path, body, { "x-api-key": KEY, "x-tenant-id": tenant });
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
}

export async function adopt(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const settings = {
    ...{ AGENTGRAPH_CONTROL_PLANE_URL: platform.url, AGENTGRAPH_TRACING_API_URL: platform.url },
    ...{ AGENTGRAPH_API_KEY: KEY, AGENTGRAPH_TENANT_ID: tenant },
    // One agent of the estate has an address that a member of the workspace chose.
    AGENTGRAPH_AGENT_ORIGINS: JSON.stringify([platform.url.replace("127.0.0.1", "localhost")]),
  };
  const ended = await agentgraph({ args: ["adopt", ...args], cwd: folder, env: { ...settings, ...env } });
  for (const output of [ended.stdout, ended.stderr])
    for (const secret of [SECRET, KEY]) expect(output).not.toContain(secret);
  return ended;
}

export interface AdoptReport {
  resources: { kind: string; id: string; title: string; name: string }[];
  skipped: { kind: string; title: string; reason: string }[];
  notes: string[];
  secrets: { key: string }[];
}

export async function runJson(...args: string[]): Promise<AdoptReport> {
  const ended = await adopt([...args, "--json"]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ended.stdout);
}

export const namesOf = ({ resources }: AdoptReport) => resources.map(({ kind, name }) => `${kind} ${name}`).sort();
export const read = (file: string, out = "adopted") => readFile(join(folder, out, file), "utf8");
