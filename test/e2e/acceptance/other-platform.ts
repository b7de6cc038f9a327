/**
 * A platform that differs from the emulator wherever docs/platform-api/ allows it, written from those pages alone:
 * other status codes of the same family, further fields and unknown statuses, short pages, no optional routes, IDs in
 * upper case, and rollouts that are slow and report their statuses out of order.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Revision {
  id: string;
  source_revision_config: Record<string, unknown>;
  /** How often its status was requested: the rollout advances with each look. */
  looks: number;
  fails: boolean;
}

interface Deployment {
  id: string;
  name: string;
  source: string;
  source_config: Record<string, unknown>;
  secrets: object[];
  revisions: Revision[];
  live?: string;
  created_at: string;
  threads: Map<string, Thread>;
}

interface Thread {
  thread_id: string;
  metadata: Record<string, unknown>;
  states: Record<string, unknown>[];
  created_at: string;
}

interface Reply {
  status: number;
  body?: unknown;
}

/** Out of order, and with a word that no page contains. */
const ROLLOUT = ["DEPLOYING", "WARMING_UP", "QUEUED", "UNKNOWN"];
/** At most this many items in a page, whatever the limit. */
const PAGE = 2;
const WORKSPACE = "0F8FAD5B-D9CB-469F-A165-70867728950E";

const upperId = () => randomUUID().toUpperCase();
const now = () => new Date().toISOString().replace("Z", "123+00:00");
const same = (one: string, other: string) => one.toUpperCase() === other.toUpperCase();
const rejected = (status: number, detail: unknown): Reply => ({ status, body: { detail } });
const list = (values: unknown): Record<string, unknown>[] => (Array.isArray(values) ? values : []);

export class OtherPlatform {
  private readonly deployments: Deployment[] = [];
  private readonly server: Server;
  url = "";

  constructor(private readonly apiKey: string) {
    this.server = createServer((request, response) => void this.respond(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Returns the names of deployments that still exist. */
  names = (): string[] => this.deployments.map(({ name }) => name);

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const url = new URL(request.url ?? "/", this.url);
    const { status, body } = this.route(request, url, text ? JSON.parse(text) : {});
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  private route(request: IncomingMessage, url: URL, body: Record<string, unknown>): Reply {
    const method = request.method ?? "GET";
    const [, agent, thread] = /^\/servers\/([^/]+)\/(.*)$/.exec(url.pathname) ?? [];
    if (agent !== undefined) return this.agentServer(method, agent, (thread ?? "").split("/"), body);
    if (request.headers["x-api-key"] !== this.apiKey) return rejected(401, "Who are you?");
    const [version, kind, id, revisions, revision] = url.pathname.slice(1).split("/");
    if (version !== "v2" || kind !== "deployments") return rejected(501, "Not here");
    if (id === undefined) return method === "POST" ? this.create(body) : this.list(url.searchParams);
    const deployment = this.deployments.find((one) => same(one.id, id));
    if (!deployment) return rejected(404, "Nothing has this ID");
    if (revisions === "revisions" && revision) return this.revision(deployment, revision);
    if (revisions !== undefined) return rejected(404, "No such route");
    if (method === "GET") return { status: 200, body: this.show(deployment) };
    if (method === "PATCH") return this.update(deployment, body);
    if (method !== "DELETE") return rejected(405, "Not allowed");
    this.deployments.splice(this.deployments.indexOf(deployment), 1);
    return { status: 202, body: { accepted: true } };
  }

  private list(query: URLSearchParams): Reply {
    const limit = Number(query.get("limit") ?? 20);
    const offset = Number(query.get("offset") ?? 0);
    if (limit < 1 || limit > 100) {
      const problem = { loc: ["query", "limit"], msg: "out of range", type: "range", input: limit, ctx: {} };
      return rejected(422, [problem]);
    }
    const ids = query.get("deployment_ids")?.split(",");
    const matching = this.deployments.filter(
      ({ id, name }) =>
        name.includes(query.get("name_contains") ?? "") && (ids?.some((wanted) => same(wanted, id)) ?? true),
    );
    const page = matching.slice(offset, offset + Math.min(limit, PAGE));
    // The offset of the request, which published servers return, too.
    return { status: 200, body: { resources: page.map((one) => this.show(one)), offset, total: matching.length } };
  }

  private create(body: Record<string, unknown>): Reply {
    if (this.deployments.some(({ name }) => name === body.name)) return rejected(400, "The name is taken");
    const deployment: Deployment = {
      ...{ id: upperId(), name: String(body.name), source: String(body.source), created_at: now() },
      ...{ source_config: body.source_config as Record<string, unknown>, secrets: list(body.secrets) },
      ...{ revisions: [], threads: new Map() },
    };
    this.deployments.unshift(deployment);
    this.addRevision(deployment, body.source_revision_config as Record<string, unknown>);
    return { status: 200, body: this.show(deployment) };
  }

  private addRevision(deployment: Deployment, config: Record<string, unknown>): void {
    const image = String(config.image_uri ?? "");
    deployment.revisions.unshift({
      ...{ id: upperId(), source_revision_config: config, looks: 0, fails: image.endsWith(":broken") },
    });
  }

  private update(deployment: Deployment, body: Record<string, unknown>): Reply {
    const config = (body.source_revision_config ?? {}) as Record<string, unknown>;
    const source = (body.source_config ?? {}) as Record<string, unknown>;
    const secrets = list(body.secrets);
    if (secrets.length > 0) deployment.secrets = secrets;
    if (source.resource_spec) deployment.source_config = { ...deployment.source_config, ...source };
    const changed = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
    if (secrets.length > 0 || source.resource_spec || Object.keys(changed).length > 0)
      this.addRevision(deployment, { ...deployment.revisions[0]?.source_revision_config, ...changed });
    return { status: 202, body: this.show(deployment) };
  }

  private revision(deployment: Deployment, id: string): Reply {
    const revision = deployment.revisions.find((one) => same(one.id, id));
    if (!revision) return rejected(404, "No such revision");
    revision.looks += 1;
    const { source_revision_config } = revision;
    return {
      status: 200,
      body: { id: revision.id, status: this.status(deployment, revision), source_revision_config },
    };
  }

  private status(deployment: Deployment, revision: Revision): string {
    const status = ROLLOUT[revision.looks];
    if (status !== undefined) return status;
    if (revision.fails) return "DEPLOY_FAILED";
    // It is live one look after it is DEPLOYED.
    if (revision.looks > ROLLOUT.length && revision === deployment.revisions[0]) deployment.live = revision.id;
    return "DEPLOYED";
  }

  /** A look at the deployment also advances its rollout. */
  private show(deployment: Deployment): object {
    const { id, name, source, secrets, created_at, revisions, live } = deployment;
    const [newest] = revisions;
    if (newest) {
      newest.looks += 1;
      this.status(deployment, newest);
    }
    return {
      ...{ id, name, source, secrets: [...secrets].reverse(), created_at, updated_at: now(), tenant_id: WORKSPACE },
      source_config: {
        ...deployment.source_config,
        ...{ custom_url: live ? `${this.url}/servers/${id}` : null, listener_id: null },
      },
      ...{ source_revision_config: { repo_ref: null, ...newest?.source_revision_config }, secret_references: null },
      ...{ status: live ? "READY" : "GETTING_READY", latest_revision_id: newest?.id, active_revision_id: live ?? null },
      ...{ image_version: null, is_managed_deep_agent: false, owner: { team: "other" }, links: [] },
    };
  }

  private agentServer(method: string, id: string, path: string[], body: Record<string, unknown>): Reply {
    const deployment = this.deployments.find((one) => same(one.id, id));
    if (!deployment?.live) return rejected(503, "Not running");
    const [kind, thread, verb] = path;
    const { threads } = deployment;
    if (kind !== "threads") return rejected(404, "Not Found");
    if (method === "POST" && thread === undefined) return this.createThread(threads, body);
    if (thread === "search") return this.searchThreads(threads, body);
    const found = threads.get((thread ?? "").toUpperCase());
    if (!found) return rejected(404, "Thread not found");
    if (method === "POST" && verb === "copy") {
      const copy = { ...found, thread_id: upperId(), metadata: { ...found.metadata }, created_at: now() };
      threads.set(copy.thread_id, copy);
      return { status: 201, body: showThread(copy) };
    }
    if (method === "GET" && verb === "state") return { status: 200, body: showState(found, found.states.length - 1) };
    if (verb === "history") {
      const states = found.states.map((_, index) => showState(found, index)).reverse();
      return { status: 200, body: states.slice(0, Number(body.limit ?? 1)) };
    }
    return method === "GET" && verb === undefined ? { status: 200, body: showThread(found) } : rejected(405, "No");
  }

  /** Chooses the ID itself, as servers do that know nothing but the description. */
  private createThread(threads: Map<string, Thread>, body: Record<string, unknown>): Reply {
    const states: Record<string, unknown>[] = [];
    for (const { updates } of list(body.supersteps))
      for (const { values } of list(updates)) states.push({ ...states.at(-1), ...(values as object) });
    const metadata = (body.metadata ?? {}) as Record<string, unknown>;
    const thread = { thread_id: upperId(), metadata: { ...metadata, region: "north" }, states, created_at: now() };
    threads.set(thread.thread_id, thread);
    return { status: 201, body: showThread(thread) };
  }

  private searchThreads(threads: Map<string, Thread>, body: Record<string, unknown>): Reply {
    const wanted = Object.entries((body.metadata ?? {}) as object);
    const found = [...threads.values()].filter(({ metadata }) =>
      wanted.every(([key, value]) => metadata[key] === value),
    );
    return { status: 200, body: found.slice(0, Number(body.limit ?? 10)).map(showThread) };
  }
}

function showThread({ thread_id, metadata, states, created_at }: Thread): object {
  return { thread_id, metadata, values: states.at(-1) ?? {}, created_at, updated_at: created_at, status: "dormant" };
}

function showState({ thread_id, metadata, states, created_at }: Thread, index: number): object {
  if (index < 0) return { values: {}, next: [], tasks: [], metadata: null, checkpoint: null, created_at: null };
  const checkpoint = (step: number) => ({ checkpoint_id: `C${step}`, thread_id, checkpoint_ns: "" });
  return {
    ...{ values: states[index], next: [], tasks: [], created_at, checkpoint: checkpoint(index), more: true },
    ...{ metadata: { ...metadata, step: index, source: "update", writes: null, parents: {} } },
    ...(index > 0 && { parent_checkpoint: checkpoint(index - 1), parent_checkpoint_id: `C${index - 1}` }),
    checkpoint_id: `C${index}`,
  };
}
