/** Emulators whose agents are real processes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import type { EmulatorOptions } from "../../../src/index";
import { isAlive } from "../../../src/runtime/storage/data-folder";
import { type Client, createDeployment, docker, rolloutMs, start } from "../emulator";
import { newFolder } from "../folder";

export const server = join(__dirname, "server.mjs");

/** An entry of the agents file that starts the test's agent server from an image. */
export function agentEntry(mode = "", change: object = {}): Record<string, unknown> {
  return {
    source: "external_docker",
    start: [process.execPath, server, "{image}"],
    folder: __dirname,
    environment: { MODE: mode },
    timeouts: { start: 20, drain: 20, stop: 2 },
    restart: { pause: 0.01, longest: 0.05 },
    ...change,
  };
}

/** Writes an agents file and returns its path. */
export function agentsFile(entries: object[], rest: object = {}): string {
  const path = join(newFolder(), "agents.yaml");
  writeFileSync(path, stringify({ agents: entries, ...rest }));
  return path;
}

/** Starts an emulator with a frozen clock and these agents. */
export function startWith(entries: object[], options: EmulatorOptions & { limits?: object } = {}): Promise<Client> {
  const { limits, ...rest } = options;
  return start({ agents: agentsFile(entries, limits && { limits }), ...rest });
}

export const secret = "sk-a-secret-value-1";

/** Deploys an agent and waits for the end of its rollout. Returns the ID of the deployment. */
export async function deploy(client: Client, name = "agent", change: object = {}): Promise<string> {
  const secrets = [{ name: "SECRET", value: secret }];
  const { id } = await createDeployment(client, docker(name, { secrets, ...change }), rolloutMs);
  return id;
}

/** Starts an emulator with agents, and deploys one. */
export async function startDeployed(...given: Parameters<typeof startWith>): Promise<{ client: Client; id: string }> {
  const client = await startWith(...given);
  return { client, id: await deploy(client) };
}

/** Creates a revision and waits for its end. */
export async function redeploy(client: Client, id: string, version: string): Promise<void> {
  const secrets = [
    { name: "SECRET", value: secret },
    { name: "VERSION", value: version },
  ];
  await client.patch(`/v2/deployments/${id}`, { secrets });
  await client.advance(rolloutMs);
}

/** Returns the lines of the logs of all revisions. */
export async function logOf(client: Client, id: string, type: "build" | "deploy" = "deploy"): Promise<string[]> {
  const { body } = await client.admin("GET", `/logs?deployment=${id}&type=${type}`);
  return (body as unknown as { lines: { message: string }[] }).lines.map(({ message }) => message);
}

export interface Answer {
  version: string;
  pid: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Asks the agent of a deployment; undefined if it is not available. */
export async function ask(client: Client, id: string, path = "/", init: RequestInit = {}): Promise<Answer | undefined> {
  const response = await fetch(`${client.emulator.urls.controlPlane}/agents/${id}${path}`, init);
  return response.status === 200 ? JSON.parse(await response.text()) : undefined;
}

/** Waits until a condition holds; the time limit of the test ends the wait. */
export async function until<T>(condition: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const value = await condition();
    if (value) return value as NonNullable<T>;
    await new Promise(setImmediate);
  }
}

export const untilEnded = (pid: number) => until(() => !isAlive(pid));
