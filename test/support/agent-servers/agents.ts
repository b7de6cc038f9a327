import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { EmulatorOptions } from "../../../emulator/src/index";

/** The server that environment.ts provides, in the Jest projects that use it. */
const { AGENT_SERVER_URL } = globalThis as { AGENT_SERVER_URL?: string };

export const isPublishedServer = AGENT_SERVER_URL !== undefined;

const folder = isPublishedServer ? mkdtempSync(join(tmpdir(), "agentgraph-agents-")) : "";

/** Returns options of an emulator whose deployments all run the published server, where the Jest project has one. */
export function publishedAgents(): EmulatorOptions {
  if (AGENT_SERVER_URL === undefined) return {};
  const agents = join(folder, "agents.yaml");
  const environment = { TARGET: new URL(AGENT_SERVER_URL).port };
  const start = [process.execPath, join(__dirname, "forward.mjs")];
  writeFileSync(agents, JSON.stringify({ agents: [{ start, environment, folder: __dirname }] }));
  return { agents };
}

/**
 * Waits until no thread of the published server is busy: the emulator's clock, which tests advance, is not the
 * server's.
 */
export async function untilRunsEnd(): Promise<void> {
  for (let isBusy = isPublishedServer; isBusy; await sleep(50)) {
    const response = await fetch(`${AGENT_SERVER_URL}/threads/search`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ status: "busy" }),
    });
    isBusy = ((await response.json()) as unknown[]).length > 0;
  }
}

afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});
