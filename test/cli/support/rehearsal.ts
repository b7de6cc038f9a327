/** A folder for backups, and agents of an emulator between which conversations move. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { startEmulator } from "../../../emulator/src";
import { newFolder } from "../../../emulator/test/support/folder";
import { agentgraph } from "./command";

const KEY = "the-key-of-a-rehearsal";

type Started = Awaited<ReturnType<typeof startEmulator>>;

/** Agents called first, second and third. */
export class Rehearsal {
  readonly folder = newFolder();

  private constructor(
    readonly emulator: Started,
    readonly agents: readonly string[],
  ) {}

  static async start(options: Parameters<typeof startEmulator>[0] = {}): Promise<Rehearsal> {
    const emulator = await startEmulator({ apiKey: KEY, speed: "instant", ...options });
    const config = { source_revision_config: { image_uri: "registry.example.com/agent:1" } };
    const deployments = ["first", "second", "third"].map((name) => ({ name, ...config }));
    const seeded = await emulator.seed({ deployments });
    return new Rehearsal(emulator, seeded.deployments ?? []);
  }

  /** Sends a request to an agent, by its number. @param of A method, and a user of agents that authenticate them. */
  async call<T = Record<string, unknown>>(
    agent: number,
    path: string,
    body?: object,
    of: { method?: string; user?: string } = {},
  ): Promise<T> {
    const { method = body ? "POST" : "GET", user } = of;
    const identity = user === undefined ? { "x-api-key": KEY } : { authorization: `Bearer ${user}` };
    const headers = { ...identity, ...(body && { "content-type": "application/json" }) };
    const url = `${this.emulator.urls.controlPlane}/agents/${this.agents[agent]}${path}`;
    const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  /** Runs `agentgraph`, whose output contains no secret. */
  async run(...args: string[]) {
    const { accessKeyId, secretAccessKey, url } = this.emulator.bucket;
    const bucket = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_ENDPOINT_URL: url };
    const env = { AGENTGRAPH_URL: this.emulator.urls.controlPlane, AGENTGRAPH_API_KEY: KEY, ...bucket };
    const ended = await agentgraph({ args, cwd: this.folder, env });
    for (const secret of [KEY, accessKeyId, secretAccessKey]) expect(ended.stdout + ended.stderr).not.toContain(secret);
    return ended;
  }

  backup = (...args: string[]) => this.run("backup", "--deployment", "first", "--to", "backup", ...args);
  restore = (...args: string[]) => this.run("restore", "--from", "backup", "--deployment", "second", ...args);

  /** Runs a graph on a thread. Returns its values. */
  say = (agent: number, id: string, assistant_id: string, request: object) =>
    this.call<{ messages?: { content: string }[] }>(agent, `/threads/${id}/runs/wait`, { assistant_id, ...request });

  /** Returns the ID of a new thread of the first agent in which a run has ended, or waits. */
  async createThread(graph = "echo", metadata: object = { owner: "ann" }): Promise<string> {
    const { thread_id: id } = await this.call<{ thread_id: string }>(0, "/threads", { metadata });
    await this.say(0, id, graph, { input: human("hello") });
    return id;
  }

  /** Returns the file in which a restore notes what it has written. */
  async journal(): Promise<string> {
    const names = await readdir(join(this.folder, "backup"));
    return join(this.folder, "backup", names.find((name) => name.startsWith("restored-to-")) ?? "");
  }
}

export const human = (content: string) => ({ messages: [{ role: "user", content }] });
