/**
 * Others create what a resource of the program would be taken for: with its name, its ID, or the metadata of its cron.
 */
import type { PropertyMap } from "../../../../provider/schema/schema";
import type { StateEntry } from "../engine/state";
import type { Others } from "./others";
import type { Server } from "./server";

/** A resource of the program, and what state has of it. */
export interface Target {
  kind: string;
  inputs: PropertyMap;
  entry: StateEntry | undefined;
}

/** The marker of a resource of another stack. */
const THEIR_MARKER = "globex/urn:pulumi:prod::other::pulumi-nodejs:dynamic/agentgraph:Deployment::agent";

export class Strangers {
  private count = 0;

  constructor(
    private readonly server: Server,
    private readonly others: Others,
  ) {}

  /** @returns What was done; undefined if the object exists, or nothing can be taken for it. */
  async take({ kind, inputs, entry }: Target): Promise<string | undefined> {
    this.count += 1;
    // The clock stands still between steps, and two objects with one ID have different times of creation.
    await this.server.advance(1000);
    const base = this.baseOf(inputs);
    if (kind === "Deployment") return this.takeName(String(inputs.name));
    if (!base) return undefined;
    if (kind === "Thread" && inputs.threadId !== undefined) return this.takeThread(base, String(inputs.threadId));
    if (kind === "Assistant" && inputs.assistantId !== undefined)
      return this.takeAssistant(base, String(inputs.assistantId));
    if (kind === "Cron" && entry) return this.copyCron(base, entry.resource.id);
    return undefined;
  }

  private baseOf({ deploymentId, deploymentUrl }: PropertyMap): string | undefined {
    if (typeof deploymentUrl === "string") return new URL(deploymentUrl).pathname;
    return typeof deploymentId === "string" ? `/agents/${deploymentId}` : undefined;
  }

  private async takeName(name: string): Promise<string | undefined> {
    const path = `/v2/deployments?limit=100&name_contains=${name}`;
    const { body } = await this.server.call<{ resources: PropertyMap[] }>("GET", path);
    if (body.resources.some((one) => one.name === name)) return undefined;
    const marker = { name: "PULUMI_RESOURCE", value: THEIR_MARKER };
    const id = await this.others.addDeployment(name, this.count % 2 === 0 ? [marker] : []);
    return `others create deployment ${id} with the name ${name}`;
  }

  private async takeThread(base: string, id: string): Promise<string | undefined> {
    if ((await this.server.call("GET", `${base}/threads/${id}`)).status !== 404) return undefined;
    const metadata = { team: "customer", ...(this.count % 2 === 0 && { graph_id: "echo" }) };
    const isDone = await this.others.addThread(base, { thread_id: id, metadata });
    return isDone ? `others create thread ${id}` : undefined;
  }

  private async takeAssistant(base: string, id: string): Promise<string | undefined> {
    if ((await this.server.call("GET", `${base}/assistants/${id}`)).status !== 404) return undefined;
    const body = { assistant_id: id, graph_id: "echo", name: "theirs", context: { prefix: "theirs" } };
    return (await this.others.assistants.addAssistant(base, body)) ? `others create assistant ${id}` : undefined;
  }

  private async copyCron(base: string, id: string): Promise<string | undefined> {
    const { body, status } = await this.server.call("GET", `${base}/runs/crons/${id}`);
    if (status !== 200) return undefined;
    const { assistant_id, metadata } = body;
    const input = { messages: [{ role: "user", content: "theirs" }] };
    const copy = { assistant_id, metadata, input, schedule: "45 4 * * *" };
    await this.others.assistants.addCronWith(base, copy);
    return `others copy cron ${id} with its metadata`;
  }
}
