/** The emulator in a separate process: what it contains, and what belongs to others. */
import { defaultTenantId } from "../../../emulator/src";
import { CRON } from "../../../provider/resources/cron/fields";
import type { PropertyMap } from "../../../provider/schema/schema";
import { isOfServer } from "../../support/agents/kinds/kind";
import { EmulatorProcess } from "../support/emulator-process";
import { threeDaysOfRuns } from "../support/traces";
import { API_KEY, BUCKET_SECRET, type Surroundings } from "./program";

const LATENCY_MS = 25;
const SPEED = "5";
const LIVE = { source: "external_docker", revision_status: "DEPLOYED" } as const;

export interface RemoteThread {
  thread_id: string;
  metadata: Record<string, unknown>;
}

/** An assistant, or an object of a similar kind. */
export type RemoteObject = PropertyMap & { metadata: PropertyMap };

export interface RemoteExport {
  id: string;
  status: string;
  display_name?: string;
  interval_hours?: number | null;
  source_bulk_export_id?: string | null;
}

export class Server {
  private readonly process: EmulatorProcess;
  private shared = "";
  private sessionId = "";
  /** The objects of others, as they must remain. */
  private foreign = "";
  private foreignThreads: string[] = [];
  /** The ID of the newest request, which counts from 1. */
  private lastRequest = 0;

  constructor(folder: string) {
    this.process = new EmulatorProcess(folder, ["--speed", SPEED]);
  }

  get url(): string {
    return this.process.url;
  }

  get surroundings(): Surroundings {
    return { shared: this.shared, sessionId: this.sessionId, bucket: this.process.bucket };
  }

  /** Starts the emulator, and creates what programs use and what belongs to others. */
  async start(): Promise<void> {
    await this.process.start(BUCKET_SECRET);
    const deployment = (name: string) => ({
      name,
      ...LIVE,
      source_revision_config: { image_uri: `registry.example.com/${name}:1` },
    });
    const seed = { deployments: [deployment("shared"), deployment("foreign")] };
    const { deployments } = (await this.process.admin("POST", "seed", seed)) as { deployments: string[] };
    this.shared = deployments[0] ?? "";
    const runs = threeDaysOfRuns(Date.UTC(2026, 0, 14), 0)
      .map((run) => JSON.stringify(run))
      .join("\n");
    const loaded = (await this.process.admin("POST", "runs?project=traces", runs)) as { session_id: string };
    this.sessionId = loaded.session_id;
    for (const metadata of [{ customer: "c-1" }, { graph_id: "echo", team: "support" }]) {
      const { thread_id: id } = (await this.call("POST", `/agents/${this.shared}/threads`, {
        metadata,
      })) as RemoteThread;
      this.foreignThreads.push(id);
    }
    this.foreign = await this.readForeign();
    await this.slowDown();
  }

  async kill(): Promise<void> {
    await this.process.kill();
  }

  async restart(): Promise<void> {
    await this.process.start();
    await this.slowDown();
  }

  /** Returns the number of requests since the first start; while the emulator is down, the last one. */
  async countRequests(): Promise<number> {
    const log = await this.process.admin("GET", `request-log?after=${this.lastRequest}`).catch(() => undefined);
    const entries = (log as { entries: { id: number }[] } | undefined)?.entries ?? [];
    this.lastRequest = entries.at(-1)?.id ?? this.lastRequest;
    return this.lastRequest;
  }

  /** Returns the deployments that are not being deleted, without those of others. */
  async deployments(): Promise<{ id: string; name: string }[]> {
    const { resources } = (await this.call("GET", "/v2/deployments?limit=100")) as {
      resources: { id: string; name: string; status: string }[];
    };
    return resources.filter(
      ({ name, status }) => !status.includes("DELETE") && name !== "shared" && name !== "foreign",
    );
  }

  deployment(id: string): Promise<unknown> {
    return this.process.admin("GET", `deployments/${id}`);
  }

  /** Returns the threads of all agent servers by `agent/thread`, without those of others. */
  async threads(): Promise<Map<string, RemoteThread>> {
    const found = new Map<string, RemoteThread>();
    for (const agent of [this.shared, ...(await this.deployments()).map(({ id }) => id)]) {
      const threads = (await this.call("POST", `/agents/${agent}/threads/search`, { limit: 1000 })) as RemoteThread[];
      for (const thread of threads) found.set(`${agent}/${thread.thread_id}`, thread);
    }
    for (const id of this.foreignThreads) found.delete(`${this.shared}/${id}`);
    return found;
  }

  deleteThread(agentAndThread: string): Promise<unknown> {
    return this.call("DELETE", `/agents/${agentAndThread.replace("/", "/threads/")}`);
  }

  /** Returns the objects below a path of all agent servers, except for those of the servers, which make no crons. */
  async objects(path: string): Promise<RemoteObject[]> {
    const agents = [this.shared, ...(await this.deployments()).map(({ id }) => id)];
    const lists = agents.map((id) => this.call("POST", `/agents/${id}/${path}/search`, { limit: 1000 }));
    const objects = ((await Promise.all(lists)) as RemoteObject[][]).flat();
    return path === CRON.path ? objects : objects.filter(({ metadata }) => !isOfServer(metadata));
  }

  exports(what: "bulk-exports" | "bulk-exports/destinations"): Promise<RemoteExport[]> {
    return this.call("GET", `/api/v1/${what}`) as Promise<RemoteExport[]>;
  }

  /** @throws When something that belongs to others changed. */
  async assertForeignUntouched(): Promise<void> {
    const now = await this.readForeign();
    if (now !== this.foreign) throw new Error(`an object of others was changed:\n${this.foreign}\n${now}`);
  }

  private async readForeign(): Promise<string> {
    const { resources } = (await this.call("GET", "/v2/deployments?limit=100")) as { resources: { name: string }[] };
    const deployments = resources.filter(({ name }) => name === "shared" || name === "foreign");
    const threads = this.foreignThreads.map((id) => this.call("GET", `/agents/${this.shared}/threads/${id}`));
    const defaults = this.call("POST", `/agents/${this.shared}/assistants/search`, {
      metadata: { created_by: "system" },
    });
    return JSON.stringify([deployments, await Promise.all([...threads, defaults])]);
  }

  /** Delays every request, so that kills fall between a request and its response. */
  private async slowDown(): Promise<void> {
    await this.process.admin("DELETE", "faults");
    await this.process.admin("POST", "faults", { path: "**", delay_ms: LATENCY_MS, times: 1_000_000 });
  }

  private async call(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { "x-api-key": API_KEY, "x-tenant-id": defaultTenantId, "content-type": "application/json" };
    const response = await fetch(this.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}
