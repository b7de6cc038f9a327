/** The fixture of a test file: an emulator over HTTP, and a folder for programs, state and the CLI's home. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  defaultTenantId,
  type Emulator,
  type EmulatorOptions,
  type Fault,
  type RequestLogEntry,
  startEmulator,
} from "../../../emulator/src";
import { endOrphans, type RunningCommand, succeeds } from "./cli/cli";
import { CliStack } from "./cli/cli-stack";
import { Program } from "./programs/program";
import { waitUntil } from "./wait-until";

/** A test runs several commands of some seconds each. */
const TIMEOUT_MS = 480_000;

export const API_KEY = "the-key-of-the-stories";

export interface StackOptions {
  /** The project's name; another name is another program folder. */
  project: string;
  stack?: string;
  /** Name of the file backend; another name is another folder. */
  backend?: string;
  /** The program of another stack, to share it. */
  program?: Program;
  env?: Record<string, string>;
}

/** A deployment as the emulator's admin routes return it. */
export interface RemoteDeployment {
  id: string;
  name: string;
  status: string;
  active_revision_id: string | null;
  latest_revision_id: string;
  updated_at: string;
  source_config: object;
  secrets: { name: string; value: string }[];
  revisions: { id: string; status: string; source_revision_config: { image_uri?: string } }[];
}

export class World {
  private folder = "";
  private running: Emulator | undefined;

  /** Starts the emulator before the tests of a file and stops it after them. */
  constructor(options: EmulatorOptions = { strict: true, speed: "instant", apiKey: API_KEY }) {
    jest.setTimeout(TIMEOUT_MS);
    beforeAll(async () => {
      this.folder = await mkdtemp(join(tmpdir(), "agentgraph-story-"));
      this.running = await startEmulator(options);
    });
    afterAll(async () => {
      endOrphans();
      await this.running?.stop();
      await rm(this.folder, { recursive: true, force: true });
    });
  }

  get emulator(): Emulator {
    if (!this.running) throw new Error("The emulator runs only while the tests do.");
    return this.running;
  }

  get url(): string {
    return this.emulator.urls.controlPlane;
  }

  /** The settings of the tracing API. */
  get tracing() {
    return { AGENTGRAPH_TRACING_API_URL: this.url, AGENTGRAPH_TENANT_ID: defaultTenantId };
  }

  /** Creates an empty stack. Its settings come from the environment. */
  async stack({ project, stack = "dev", backend = "state", program, env = {} }: StackOptions): Promise<CliStack> {
    const stackProgram = program ?? (await Program.create(await this.createFolder(`program-${project}`), project));
    const location = {
      project,
      stack,
      home: await this.createFolder("home"),
      backend: await this.createFolder(backend),
    };
    const settings = { AGENTGRAPH_CONTROL_PLANE_URL: this.url, AGENTGRAPH_API_KEY: API_KEY };
    const cliStack = new CliStack(stackProgram, location, { ...settings, ...env });
    await cliStack.init();
    return cliStack;
  }

  /** Creates a folder, if it does not exist, and returns its path. */
  async createFolder(name: string): Promise<string> {
    const folder = join(this.folder, name);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Starts an up and returns when the provider waits for a rollout that the emulator has paused. */
  startUpAndHold(stack: CliStack): Promise<RunningCommand> {
    return this.startUpUntil(stack, { hold: { status: "DEPLOYING" } }, () => {
      const revision = { method: "GET", path: "/v2/deployments/*/revisions/*" };
      return this.emulator.requestLog.count(revision) > 0;
    });
  }

  /** Starts an up with a fault, and returns when a condition holds. */
  async startUpUntil(stack: CliStack, fault: Fault, condition: () => boolean): Promise<RunningCommand> {
    await this.requests();
    await this.emulator.faults.add(fault);
    const running = stack.startUp();
    await waitUntil(condition, () => `the effect of ${JSON.stringify(fault)} in:\n${running.output}`);
    return running;
  }

  /** Returns the requests to the server since the last call, as `METHOD path`. */
  async requests(): Promise<string[]> {
    const { requestLog } = this.emulator;
    const lines = requestLog.entries().map(formatRequest);
    await requestLog.clear();
    return lines;
  }

  /** Returns the requests that change something, since the last call of `requests`: a search is a POST, but reads. */
  writes(): string[] {
    const { requestLog } = this.emulator;
    return requestLog
      .entries()
      .filter(({ method, path }) => method !== "GET" && !path.endsWith("/search"))
      .map(formatRequest);
  }

  /** Returns a deployment with its revisions, newest first; undefined if it does not exist. */
  async getDeployment(id: string): Promise<RemoteDeployment | undefined> {
    const response = await fetch(`${this.emulator.urls.admin}/deployments/${id}`);
    return response.ok ? ((await response.json()) as RemoteDeployment) : undefined;
  }

  /** Lists the deployments of a workspace. */
  async deployments(headers: Record<string, string> = {}): Promise<RemoteDeployment[]> {
    const response = await fetch(`${this.url}/v2/deployments?limit=100`, {
      headers: { "x-api-key": API_KEY, ...headers },
    });
    return ((await response.json()) as { resources: RemoteDeployment[] }).resources;
  }

  /** Sends a request to the platform in the workspace of the stacks. @throws Error if it fails. */
  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { "x-api-key": API_KEY, "x-tenant-id": defaultTenantId, "content-type": "application/json" };
    const response = await fetch(this.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  /** Updates a deployment out of band, as another user would in a console. */
  async updateOutOfBand(id: string, change: object): Promise<void> {
    await this.admin("PATCH", `/deployments/${id}`, change);
  }

  async deleteOutOfBand(id: string): Promise<void> {
    await this.admin("DELETE", `/deployments/${id}`);
  }

  /** Destroys a stack, which leaves no deployment. */
  async destroyCompletely(stack: CliStack): Promise<void> {
    await succeeds(stack.destroy());
    expect(await this.deployments()).toEqual([]);
  }

  private async admin(method: string, path: string, body?: object): Promise<void> {
    const response = await fetch(this.emulator.urls.admin + path, { method, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }
}

const formatRequest = ({ method, path }: RequestLogEntry) => `${method} ${path}`;
