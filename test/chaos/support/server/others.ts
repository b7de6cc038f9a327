/** What others have in the workspace, and what they do to resources of the program. */
import { defaultTenantId } from "../../../../emulator/src/index";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { destination } from "../../../support/exports/destinations";
import { toSnakeCase } from "../../../support/exports/exports";
import type { StateEntry } from "../engine/state";
import { kindOf } from "../kinds";
import type { OutsideAct } from "../program/schedule";
import { OtherAssistants } from "./other-assistants";
import type { Server } from "./server";

export interface RemoteThread {
  thread_id: string;
  metadata: PropertyMap;
  values: PropertyMap | null;
}

export interface OtherIds {
  shared: string;
  destinationId: string;
  sessionId: string;
  scheduleId: string;
}

const EXPORTS = "/api/v1/bulk-exports";
const HOURS = [0, 30, 60];
const CUSTOMER = { metadata: { graph_id: "echo", team: "customer" } };

export class Others {
  /** Threads of customers, by `/agents/<deployment>/threads/<thread>`. */
  readonly threads = new Map<string, Pick<RemoteThread, "metadata" | "values">>();
  /** Their objects as they were created, by path. */
  private readonly objects = new Map<string, PropertyMap>();
  readonly deploymentIds = new Set<string>();
  /** Their assistants and crons. */
  readonly assistants: OtherAssistants;
  private count = 0;

  private constructor(
    private readonly server: Server,
    readonly ids: OtherIds,
  ) {
    this.deploymentIds.add(ids.shared);
    this.assistants = new OtherAssistants(server);
  }

  static async start(server: Server): Promise<Others> {
    const { emulator } = server;
    const { deployments: [shared = ""] = [] } = await emulator.seed({
      deployments: [
        {
          name: "shared",
          source: "external_docker",
          revision_status: "DEPLOYED",
          source_revision_config: { image_uri: "registry.example.com/shared:1" },
        },
      ],
    });
    const runs = HOURS.map((hour) => ({
      id: `00000000-0000-4000-8000-0000000000${String(hour).padStart(2, "0")}`,
      name: "turn",
      run_type: "chain",
      start_time: new Date(Date.parse("2026-01-01T00:00:00Z") + hour * 3_600_000).toISOString(),
    }));
    const target = { tenant_id: defaultTenantId, project: "agent" };
    const { session_id: sessionId } = await emulator.loadRuns(target, runs);
    const bucket = toSnakeCase(destination({ emulator }));
    const destinationId = (await server.call(`POST`, `${EXPORTS}/destinations`, bucket)).body.id as string;
    const schedule = {
      bulk_export_destination_id: destinationId,
      session_id: sessionId,
      start_time: new Date(server.now()).toISOString(),
      interval_hours: 168,
    };
    const scheduleId = (await server.call("POST", EXPORTS, schedule)).body.id as string;
    const others = new Others(server, { shared, destinationId, sessionId, scheduleId });
    await others.addThread(`/agents/${shared}`);
    await others.assistants.start(`/agents/${shared}`);
    for (const path of [`/v2/deployments/${shared}`, `${EXPORTS}/destinations/${destinationId}`])
      others.objects.set(path, (await server.call("GET", path)).body);
    return others;
  }

  /** Whether the object at a path belongs to others, or to the server. */
  has(path: string): boolean {
    const isSchedule = path === `${EXPORTS}/${this.ids.scheduleId}`;
    return isSchedule || this.objects.has(path) || this.threads.has(path) || this.assistants.has(path);
  }

  /** Acts on an object of the program. @returns What was done. */
  async act(what: Exclude<OutsideAct, "takes">, { slot, kind, resource }: StateEntry): Promise<string> {
    const { id, outputs } = resource;
    const base = () => new URL(String(outputs.url)).pathname;
    const description = `another client ${what} ${kind} ${id}`;
    if (kind === "Thread") await this.actOnThread(what, base(), id);
    else if (kind === "Deployment") await this.actOnDeployment(what, id);
    else if (outputs.url !== undefined) await this.assistants.act(what, base(), kind, id);
    else if (what === "deletes") await kindOf(slot).remove?.(this.server, id);
    else return `${description}: nothing`;
    return description;
  }

  /** @throws Error that names an object of others that was changed. */
  async verify(): Promise<void> {
    await this.assistants.verify();
    for (const [path, before] of this.objects) {
      const { body } = await this.server.call("GET", path);
      if (JSON.stringify(body) !== JSON.stringify(before))
        throw new Error(`${path} of others was touched: ${JSON.stringify(body)}, not ${JSON.stringify(before)}`);
    }
    const { body: schedule } = await this.server.call("GET", `${EXPORTS}/${this.ids.scheduleId}`);
    if (/cancel/i.test(String(schedule.status))) throw new Error("the schedule of others was canceled");
    for (const [path, before] of this.threads) {
      const [, , deployment = ""] = path.split("/");
      const { body, status } = await this.server.call<RemoteThread>("GET", path);
      const { status: server } = await this.server.call("GET", `/v2/deployments/${deployment}`);
      // A thread is lost with its deployment.
      if (server === 404) continue;
      const now = { metadata: body.metadata, values: body.values };
      if (status !== 200 || JSON.stringify(now) !== JSON.stringify(before))
        throw new Error(`a customer's thread was touched: ${path} is ${status} ${JSON.stringify(body)}`);
    }
  }

  private async actOnThread(what: string, base: string, id: string): Promise<void> {
    const path = `${base}/threads/${id}`;
    if (what === "deletes") await this.server.call("DELETE", path);
    if (what === "changes") await this.server.call("PATCH", path, { metadata: { team: "others" } });
    if (what === "adds") await this.addThread(base);
    if (what !== "copies") return;
    const { body, status } = await this.server.call<RemoteThread>("POST", `${path}/copy`);
    if (status === 200) await this.remember(`${base}/threads/${body.thread_id}`);
  }

  private async actOnDeployment(what: string, id: string): Promise<void> {
    const path = `/v2/deployments/${id}`;
    if (what === "deletes") await this.server.call("DELETE", path);
    if (what === "copies") await this.addThread(`/agents/${id}`);
    if (what === "changes") {
      const { body } = await this.server.call("GET", path);
      const isImage = body.source === "external_docker";
      const change = { image_uri: `registry.example.com/others:${this.count++}` };
      if (isImage) await this.server.call("PATCH", path, { source_revision_config: change });
    }
    if (what !== "adds") return;
    await this.addDeployment(`theirs-${this.count++}`, []);
  }

  /** Adds a deployment that is live. @returns Its ID. */
  async addDeployment(name: string, secrets: readonly { name: string; value: string }[]): Promise<string> {
    const deployment = { name, source: "external_docker" as const, revision_status: "DEPLOYED", secrets: [...secrets] };
    const { deployments: [id = ""] = [] } = await this.server.emulator.seed({ deployments: [deployment] });
    this.deploymentIds.add(id);
    this.objects.set(`/v2/deployments/${id}`, (await this.server.call("GET", `/v2/deployments/${id}`)).body);
    return id;
  }

  /** @returns Whether the server created it. */
  async addThread(base: string, content: PropertyMap = CUSTOMER): Promise<boolean> {
    const { body, status } = await this.server.call<RemoteThread>("POST", `${base}/threads`, content);
    if (status === 200) await this.remember(`${base}/threads/${body.thread_id}`);
    return status === 200;
  }

  private async remember(path: string): Promise<void> {
    const { metadata, values } = (await this.server.call<RemoteThread>("GET", path)).body;
    this.threads.set(path, { metadata, values });
  }

  /** Removes their object with this ID, as they do when they are asked for it. @returns Whether it was theirs. */
  async release(id: string): Promise<boolean> {
    await this.verify();
    const path = [...this.objects.keys(), ...this.threads.keys()].find((one) => one.endsWith(`/${id}`));
    if (!path || id === this.ids.shared) return this.assistants.release(id);
    await this.server.call("DELETE", path);
    this.objects.delete(path);
    this.threads.delete(path);
    return true;
  }
}
