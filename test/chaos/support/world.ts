/** One random schedule: commands, faults, deaths and changes by others; then what must hold once they end. */
import type { PropertyMap } from "../../../provider/schema/schema";
import { startWorkspace, type Workspace } from "../../support/exports";
import { callTracingApi } from "../../support/tracing";
import { Engine, type Run } from "./engine";
import { allSecrets, changedProgram, type Program, randomProgram } from "./program";
import { Random } from "./random";

const LIVE_DEPLOYMENT = { source: "external_docker", revision_status: "DEPLOYED" } as const;
const FAULTS = [
  { connection: "refuse" },
  { connection: "reset-before" },
  { connection: "reset-after" },
  { status: 500, body: { detail: "the database is down" } },
  { status: 502, body: "<h1>Bad Gateway</h1>", act: true },
  { status: 404, body: "default backend - 404" },
  { status: 405, body: "<h1>Not Allowed</h1>" },
  { status: 501, body: "<h1>Not Implemented</h1>" },
  { status: 429, headers: { "retry-after": "3" } },
] as const;
const METHODS = ["GET", "POST", "PATCH", "DELETE", undefined] as const;
const PATHS = ["/v2/**", "/agents/**", "/api/v1/**", "**"] as const;

interface RemoteThread {
  thread_id: string;
  metadata: PropertyMap;
}

export class World {
  private readonly engine: Engine;
  /** Every action of the run, for the analysis of a failure. */
  readonly log: string[] = [];
  private readonly messages: string[] = [];
  /** Threads of customers with their metadata, by `deployment/thread`. */
  private readonly customers = new Map<string, PropertyMap>();
  private program: Program = [];

  private constructor(
    private readonly random: Random,
    private readonly workspace: Workspace,
    private readonly shared: string,
  ) {
    this.engine = new Engine(workspace);
  }

  static async start(seed: number): Promise<World> {
    const workspace = await startWorkspace();
    const { deployments: [shared = ""] = [] } = await workspace.emulator.seed({
      deployments: [
        { name: "shared", ...LIVE_DEPLOYMENT, source_revision_config: { image_uri: "registry.example.com/shared:1" } },
      ],
    });
    return new World(new Random(seed), workspace, shared);
  }

  /** Receives each line of the log when it is written. */
  trace: (line: string) => void = () => {};

  private addLog(...lines: string[]): void {
    this.log.push(...lines);
    for (const line of lines) this.trace(line);
  }

  /** Runs random commands under random faults. */
  async disturb(commands: number): Promise<void> {
    this.program = randomProgram(this.random, this.workspace, this.shared);
    for (let count = 0; count < commands; count++) {
      await this.injectFaults();
      await this.command();
      if (this.random.chance(0.4)) await this.actOutOfBand();
    }
  }

  /** Removes all faults, then follows the advice of the documentation until the program is live. */
  async recover(): Promise<void> {
    await this.workspace.emulator.faults.clear();
    await this.workspace.advance(15 * 60_000);
    let imports = new Map<string, string>();
    for (let attempt = 1; ; attempt++) {
      const refreshed = this.recordRun("recovery: refresh", await this.engine.refresh());
      const { errors } = this.recordRun("recovery: up", await this.engine.up(this.program, {}, imports));
      const all = [...refreshed.errors, ...errors];
      if (all.length === 0) return;
      if (attempt === 5)
        throw new Error(
          `the program does not recover:\n${all.map(([name, error]) => `${name}: ${messageOf(error)}`).join("\n")}`,
        );
      imports = new Map(
        [...errors].flatMap(([name, error]) => {
          const [, id] = /import: "([^"]+)"/.exec(messageOf(error)) ?? [];
          return id && !this.isForeign(id) ? [[name, id] as const] : [];
        }),
      );
    }
  }

  /** Checks every invariant. @throws Error that names a violated one. */
  async verify(): Promise<void> {
    await this.removeOrphanThreads();
    await this.verifyDeployments(this.program);
    await this.verifyThreads();
    await this.verifyExports();
    const again = this.recordRun("verify: up", await this.engine.up(this.program));
    const changed = [...again.done].filter(([, what]) => what !== "same");
    if (again.errors.size > 0 || changed.length > 0)
      throw new Error(`another up has changes: ${JSON.stringify(changed)}`);
    this.verifySecrets();
  }

  async verifyDestroy(): Promise<void> {
    const { errors } = this.recordRun("verify: destroy", await this.engine.destroy());
    if (errors.size > 0) throw new Error(`destroy fails: ${[...errors.values()].map(messageOf).join("\n")}`);
    this.program = [];
    await this.verifyDeployments([]);
    await this.verifyThreads();
    await this.verifyExports();
    this.verifySecrets();
  }

  private async command(): Promise<void> {
    const { random, engine } = this;
    const death = random.chance(0.35) ? { diesAt: 1 + random.below(25), acts: random.chance(0.7) } : {};
    const what = random.pick(["up", "up", "changed up", "changed up", "refresh", "up --refresh", "destroy"]);
    if (what === "changed up")
      this.program = changedProgram(random, this.program, randomProgram(random, this.workspace, this.shared));
    const label = `${what}${death.diesAt ? ` (dies at request ${death.diesAt})` : ""}`;
    if (what === "destroy") this.recordRun(label, await engine.destroy(death));
    if (what.includes("refresh")) this.recordRun(label, await engine.refresh(death));
    if (what.startsWith("up") || what === "changed up") this.recordRun(label, await engine.up(this.program, death));
  }

  private async injectFaults(): Promise<void> {
    const { random, workspace } = this;
    for (let count = random.below(4); count > 0; count--) {
      const method = random.pick(METHODS);
      const fault = {
        path: random.pick(PATHS),
        skip: random.below(12),
        times: 1 + random.below(2),
        ...random.pick(FAULTS),
      };
      await workspace.emulator.faults.add({ ...fault, ...(method && { method }) } as never);
      this.addLog(`fault ${JSON.stringify({ method, ...fault })}`);
    }
    if (random.chance(0.15)) {
      await workspace.emulator.faults.add({ revision: { ends: random.pick(["BUILD_FAILED", "DEPLOY_FAILED"]) } });
      this.addLog("the next revision fails");
    }
  }

  private async actOutOfBand(): Promise<void> {
    const { random, workspace } = this;
    const entry = random.pick([...this.engine.state].filter(([, { kind }]) => kind === "Thread"));
    if (!entry) return;
    const [name, { resource }] = entry;
    const base = new URL(String(resource.outputs.url)).pathname;
    const call = (method: string, path: string, body?: unknown) => workspace.call(method, base + path, body);
    const what = random.pick(["copies", "copies", "deletes", "changes"]);
    // Faults apply to the program alone, not to out-of-band changes.
    const activeFaults = workspace.emulator.faults.list();
    await workspace.emulator.faults.clear();
    if (what === "copies") {
      const { body, status } = await call("POST", `/threads/${resource.id}/copy`);
      if (status === 200) {
        const { thread_id: id, metadata } = body as unknown as RemoteThread;
        this.customers.set(`${base}/${id}`, metadata);
      }
    }
    if (what === "deletes") await call("DELETE", `/threads/${resource.id}`);
    if (what === "changes") await call("PATCH", `/threads/${resource.id}`, { metadata: { team: "others" } });
    for (const { id: _, ...fault } of activeFaults) await workspace.emulator.faults.add(fault);
    this.addLog(`another client ${what} ${name} (${resource.id})`);
  }

  private recordRun(what: string, run: Run): Run {
    const errors = [...run.errors].map(([name, error]) => `${name}: ${messageOf(error)}`);
    const warnings = run.rows.filter((row) => row.includes(": warn: "));
    this.addLog(`${what}${run.died ? ": died" : ""} ${JSON.stringify([...run.done])}`, ...errors, ...warnings);
    this.messages.push(...errors, ...run.rows);
    return run;
  }

  private isForeign(id: string): boolean {
    return id === this.shared || [...this.customers.keys()].some((key) => key.endsWith(id));
  }

  /** The state's IDs of a kind. */
  private ownIds(...kinds: string[]): string[] {
    return [...this.engine.state.values()]
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ resource }) => resource.id);
  }

  private async threadsOn(deployment: string): Promise<RemoteThread[]> {
    const { body } = await this.workspace.call("POST", `/agents/${deployment}/threads/search`, { limit: 1000 });
    return Array.isArray(body) ? body : [];
  }

  private async agents(): Promise<string[]> {
    return (await this.workspace.deployments()).map(({ id }) => id);
  }

  /** Threads that nothing refers to must have been named, and are deleted as the messages say. */
  private async removeOrphanThreads(): Promise<void> {
    for (const agent of await this.agents()) {
      for (const { thread_id: id, metadata } of await this.threadsOn(agent)) {
        if (this.ownIds("Thread").includes(id) || this.isForeign(id)) continue;
        const isNamed = this.messages.some((text) => text.includes(id));
        if (!isNamed && this.mustBeNamed(agent, id, metadata))
          throw new Error(`thread ${id} at ${agent} is left and was never named: ${JSON.stringify(metadata)}`);
        await this.workspace.call("DELETE", `/agents/${agent}/threads/${id}`);
      }
    }
  }

  /**
   * Whether the resource that made a left thread was created on that server since: then it had to name the thread. Nothing
   * in state or program mentions a thread whose resource left the program or moved to another server.
   */
  private mustBeNamed(agent: string, id: string, { pulumi_thread: tag, ...metadata }: PropertyMap): boolean {
    const isTagged = [tag, metadata.pulumi_thread_id].includes(id);
    return this.program.some(({ name, kind, references }) => {
      const isOn = String(this.engine.state.get(name)?.resource.outputs.url).endsWith(`/agents/${agent}`);
      if (kind !== "Thread" || !isOn) return false;
      return isTagged
        ? metadata.pulumi_thread_resource === this.engine.threadTag(name)
        : references.copyFrom !== undefined;
    });
  }

  private async verifyDeployments(program: Program): Promise<void> {
    const live = (await this.workspace.deployments()).filter(({ status }) => !status.includes("DELETE"));
    const expectedResources = program.filter(({ kind }) => kind === "Deployment");
    const names = live.map(({ name }) => name).sort();
    const expected = ["shared", ...expectedResources.map(({ name }) => name)].sort();
    if (names.join() !== expected.join()) throw new Error(`deployments are ${names}, not ${expected}`);
    for (const { name, inputs } of expectedResources) {
      const { id = "" } = live.find((one) => one.name === name) ?? {};
      const remote = await this.workspace.getDeployment(id);
      const { imageUri } = inputs.sourceRevisionConfig as { imageUri: string };
      if (remote.source_revision_config.image_uri !== imageUri)
        throw new Error(`${name} runs another image than ${imageUri}`);
      if (remote.latest_revision_id !== remote.active_revision_id)
        throw new Error(`the latest revision of ${name} is not live`);
      const secrets = new Map(remote.secrets.map((secret) => [secret.name, secret.value]));
      for (const [key, value] of Object.entries(inputs.secrets as PropertyMap))
        if (secrets.get(key) !== value)
          throw new Error(`secret ${key} of ${name} is ${secrets.get(key)}, not ${value}`);
      const { resourceSpec } = (inputs.sourceConfig ?? {}) as { resourceSpec?: { cpu: number } };
      const { cpu } = remote.source_config.resource_spec ?? {};
      if (resourceSpec && cpu !== resourceSpec.cpu) throw new Error(`${name} has cpu ${cpu}, not ${resourceSpec.cpu}`);
    }
  }

  private async verifyThreads(): Promise<void> {
    const found = new Map<string, PropertyMap>();
    for (const agent of await this.agents())
      for (const { thread_id: id, metadata } of await this.threadsOn(agent))
        found.set(`/agents/${agent}/${id}`, metadata);
    for (const [key, metadata] of this.customers) {
      const [, , agent = ""] = key.split("/");
      if (!(await this.agents()).includes(agent)) continue;
      if (JSON.stringify(found.get(key)) !== JSON.stringify(metadata))
        throw new Error(
          `a customer's thread ${key} was touched: ${JSON.stringify(found.get(key))}, not ${JSON.stringify(metadata)}`,
        );
      found.delete(key);
    }
    const own = this.program.filter(({ kind }) => kind === "Thread");
    if (found.size !== own.length) throw new Error(`there are ${found.size} threads of ours, not ${own.length}`);
    for (const { name, inputs } of own) {
      const id = this.engine.state.get(name)?.resource.id;
      const [, metadata] = [...found].find(([key]) => key.endsWith(`/${id}`)) ?? [];
      for (const [key, value] of Object.entries(inputs.metadata as PropertyMap))
        if (metadata?.[key] !== value)
          throw new Error(`metadata ${key} of ${name} is ${metadata?.[key]}, not ${value}`);
    }
  }

  private async verifyExports(): Promise<void> {
    const list = async (path: string) =>
      (await callTracingApi(this.workspace, "GET", path)).body as unknown as PropertyMap[];
    const destinations = (await list("bulk-exports/destinations")).filter(({ display_name: name }) => name === "chaos");
    const expectedResources = this.program.filter(({ kind }) => kind === "BulkExportDestination").length;
    // The server keeps a destination while exports refer to it, and a destroy reports that.
    const isKept = (id: unknown) =>
      this.messages.some(
        (text) => text.includes(`destination ${id} `) && text.includes("was not deleted because exports still use it"),
      );
    if (
      destinations.filter(({ id }) => this.ownIds("BulkExportDestination").includes(String(id)) || !isKept(id))
        .length !== expectedResources
    )
      throw new Error(
        `there are destinations ${JSON.stringify(destinations.map(({ id }) => id))}, and ${expectedResources} are declared`,
      );
    const schedules = (await list("bulk-exports")).filter(
      ({ interval_hours: hours, status }) => hours != null && !/cancelled/i.test(String(status)),
    );
    const declared = this.ownIds("ScheduledBulkExport");
    if (schedules.map(({ id }) => id).join() !== declared.join())
      throw new Error(`the active schedules are ${schedules.map(({ id }) => id)}, not ${declared}`);
  }

  private verifySecrets(): void {
    const leak = allSecrets.find((secret) => this.messages.some((text) => text.includes(secret)));
    if (leak) throw new Error(`${leak} was shown`);
  }
}

/** The message of an init error contains no cause; its `reasons` do. */
const messageOf = (error: Error): string => (error as { reasons?: string[] }).reasons?.join("\n") ?? error.message;
