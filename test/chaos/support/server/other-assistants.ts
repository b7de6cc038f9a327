/** Assistants and crons of others on the agent servers of the program, and what others do to those of the program. */
import { CRON } from "../../../../provider/resources/cron/fields";
import { defaultAssistantId } from "../../../../provider/schema/id";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { agentKinds } from "../../../support/agents/kinds";
import type { Server } from "./server";

type Act = "copies" | "deletes" | "changes" | "adds";

const CRONS = { names: CRON, changed: { schedule: "5 5 * * *", enabled: false } };

/** A cron without what changes when it fires. */
const fixedPart = ({ next_run_date: _, ...rest }: PropertyMap) => JSON.stringify(rest);

export class OtherAssistants {
  /** As they were created, by path. */
  private readonly objects = new Map<string, PropertyMap>();

  constructor(private readonly server: Server) {}

  /** Remembers the default assistants of a server, and adds an assistant with a cron. */
  async start(base: string): Promise<void> {
    for (const graph of ["echo", "counter"]) await this.remember(`${base}/assistants/${defaultAssistantId(graph)}`);
    await this.add(`${base}/assistants`, "assistant_id", { graph_id: "echo", name: "theirs" });
    await this.addCron(base, "echo");
  }

  /** Whether an assistant or cron belongs to others or to the server. */
  has(path: string): boolean {
    return this.objects.has(path);
  }

  /** Acts on an object of the program. Others add crons to an assistant, and beside a cron. */
  async act(what: Act, base: string, kind: string, id: string): Promise<void> {
    const { names, changed } = agentKinds.find((one) => one.names.kind === kind) ?? CRONS;
    const { path: route, noun } = names;
    const path = `${base}/${route}/${id}`;
    const { body, status } = await this.server.call("GET", path);
    if (status !== 200) return;
    const { [`${noun}_id`]: _, ...content } = body;
    if (what === "adds" && kind === "Assistant") await this.addCron(base, id);
    else if (kind === "Cron" && (what === "adds" || what === "copies"))
      await this.addCron(base, String(body.assistant_id));
    else if (what === "adds" || what === "copies") await this.add(`${base}/${route}`, `${noun}_id`, content);
    if (what === "changes" && Number(body.version) > 1)
      await this.server.call("POST", `${path}/latest`, { version: Number(body.version) - 1 });
    else if (what === "changes") await this.server.call("PATCH", path, changed);
    if (what === "deletes") await this.remove(path);
  }

  /** Deletes crons of others: with their assistant, or because an error asks for it. */
  async removeCrons(isRemoved: (cron: PropertyMap) => boolean): Promise<void> {
    const crons = [...this.objects].filter(([, body]) => body.cron_id !== undefined && isRemoved(body));
    for (const [path] of crons) await this.remove(path);
  }

  /** Removes an assistant or cron of this ID. @returns Whether it was theirs. */
  async release(id: string): Promise<boolean> {
    const path = [...this.objects.keys()].find((one) => one.endsWith(`/${id}`));
    if (path) await this.remove(path);
    return path !== undefined;
  }

  /** @throws Error that names an object that was changed. */
  async verify(): Promise<void> {
    for (const [path, before] of this.objects) {
      const { body, status } = await this.server.call("GET", path);
      const [, , deployment = ""] = path.split("/");
      // They are lost with their deployment.
      if ((await this.server.call("GET", `/v2/deployments/${deployment}`)).status === 404) continue;
      if (status !== 200 || fixedPart(body) !== fixedPart(before))
        throw new Error(`${path} of others is ${status} ${JSON.stringify(body)}, not ${JSON.stringify(before)}`);
    }
  }

  private async remove(path: string): Promise<void> {
    await this.server.call("DELETE", path);
    this.objects.delete(path);
    await this.removeCrons(({ assistant_id: id }) => path.endsWith(`/assistants/${id}`));
  }

  private addCron(base: string, assistantId: string): Promise<boolean> {
    return this.addCronWith(base, { assistant_id: assistantId, schedule: "30 4 * * *", metadata: { team: "theirs" } });
  }

  /** @returns Whether the server created it, as the other methods that add. */
  addCronWith(base: string, cron: PropertyMap): Promise<boolean> {
    return this.add(`${base}/runs/crons`, "cron_id", cron);
  }

  addAssistant(base: string, assistant: PropertyMap): Promise<boolean> {
    return this.add(`${base}/assistants`, "assistant_id", assistant);
  }

  private async add(path: string, key: string, content: object): Promise<boolean> {
    const { body, status } = await this.server.call("POST", path, content);
    if (status === 200) this.objects.set(`${path}/${body[key]}`, body);
    return status === 200;
  }

  private async remember(path: string): Promise<void> {
    this.objects.set(path, (await this.server.call("GET", path)).body);
  }
}
