/** Threads whose pulumi, or whose agent server, is killed in the middle: none is made twice, lost or cut short. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { CommandResult, RunningCommand } from "./support/cli";
import type { CliStack } from "./support/cli-stack";
import { EmulatorProcess } from "./support/emulator-process";
import { messagesOf, steps } from "./support/events";
import { waitUntil } from "./support/wait-until";
import { World } from "./support/world";

const world = new World();
const hello = { messages: [{ role: "user", content: "Hello" }] };
const supersteps = [{ updates: [{ asNode: "__input__", values: hello }] }];
const liveDeployment = {
  name: "agent",
  source: "external_docker",
  revision_status: "DEPLOYED",
  source_revision_config: { image_uri: "registry.example.com/agent:1" },
} as const;

/** Source text: a thread with a state, and a copy of it when told who it is for. */
function program(deploymentId: string, { team = "support", audience = "" } = {}): string {
  const session = { deploymentId, metadata: { graph_id: "counter", team }, supersteps };
  const copy = JSON.stringify({ deploymentId, metadata: { audience } });
  return `const session = new agentgraph.Thread("session", ${JSON.stringify(session)});
    ${audience && `new agentgraph.Thread("copy", { ...${copy}, copyFrom: session.id });`}`;
}

interface Thread {
  thread_id: string;
  metadata: Record<string, unknown>;
}

interface State {
  metadata: { step: number };
  values: { count?: number };
}

/** Asks an agent server, as any client does. */
async function callAgentServer<T>(agent: string, method: string, path: string, body?: object): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${agent}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
const threads = (agent: string) =>
  callAgentServer<Thread[]>(agent, "POST", "/threads/search", { sort_order: "asc", limit: 100 });
const history = (agent: string, id: string) =>
  callAgentServer<State[]>(agent, "POST", `/threads/${id}/history`, { limit: 1000 });

describe("kill -9 of pulumi", () => {
  /** Kills a command after this request has reached the agent server, which still processes it. */
  async function killAt(method: string, path: string, stack: CliStack, command = () => stack.startUp()): Promise<void> {
    const { faults, journal } = world.emulator;
    const request = { method, path: `/agents/*/${path}` };
    await journal.clear();
    await faults.add({ ...request, delay_ms: 1000 });
    const running = command();
    await waitUntil(
      () => faults.list().length === 0,
      () => `${method} ${path}`,
    );
    await running.kill();
    await waitUntil(
      () => journal.count(request) > 0,
      () => `the end of ${method} ${path}`,
    );
    await stack.runOrThrow("cancel", "--yes");
  }

  // @covers 4B.POST /threads:once
  test("at any request of a thread's life duplicates no thread, and the next run resumes", async () => {
    const { deployments: [id = ""] = [] } = await world.emulator.seed({ deployments: [liveDeployment] });
    const server = `${world.url}/agents/${id}`;
    const stack = await world.stack({ project: "killed" });
    await stack.program.write(program(id));
    await killAt("POST", "threads", stack);
    const [session] = await threads(server);

    // The run that resumes the thread is killed while it copies the thread, and the following run while it writes the
    // ownership marker of the copy.
    await stack.program.write(program(id, { audience: "testers" }));
    await killAt("POST", "threads/*/copy", stack);
    await killAt("PATCH", "threads/*", stack);
    const [, orphan, copy] = await threads(server);

    const changed = { audience: "testers", team: "sales" };
    await stack.program.write(program(id, changed));
    await killAt("PATCH", `threads/${session?.thread_id}`, stack);
    const resumed = await stack.up();
    expect(resumed).toMatchObject({ code: 0 });
    expect(steps(resumed).sort()).toEqual(["create copy", "update session"]);
    expect(messagesOf(resumed, "copy")).toContain(
      `Resuming thread ${copy?.thread_id}: an earlier run of this resource created this copy.`,
    );
    const removal = `DELETE ${server}/threads/${orphan?.thread_id}`;
    expect(messagesOf(resumed, "copy")).toContainEqual(expect.stringContaining(removal));
    expect((await fetch(removal.replace("DELETE ", ""), { method: "DELETE" })).status).toBe(204);
    expect(await threads(server)).toMatchObject([
      { thread_id: session?.thread_id, metadata: { team: "sales" } },
      { thread_id: copy?.thread_id, metadata: { team: "support", audience: "testers" } },
    ]);
    expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });

    await killAt("DELETE", "threads/*", stack, () => stack.startDestroy());
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await threads(server)).toEqual([]);
  });
});

describe("kill -9 of the agent server", () => {
  let [service, stack]: [EmulatorProcess, CliStack] = [] as never;
  let [folder, deployment] = ["", ""];
  const server = () => `${service.url}/agents/${deployment}`;
  const session = async () => String((await stack.resources()).get("session")?.id);

  beforeAll(async () => {
    folder = await world.createFolder("service");
    service = new EmulatorProcess(folder);
    await service.start();
    const seeded = await service.admin("POST", "seed", { deployments: [liveDeployment] });
    [deployment = ""] = (seeded as { deployments: string[] }).deployments;
    stack = await world.stack({ project: "outage", env: { AGENTGRAPH_CONTROL_PLANE_URL: service.url } });
  });
  afterAll(() => service?.kill());

  /** A command during which the server is killed, with this request in its hands, and started again. */
  async function killServerDuring(method: string, path: string, command: () => RunningCommand): Promise<CommandResult> {
    await service.admin("POST", "faults", { method, path: `/agents/*/${path}`, delay_ms: 60_000 });
    const running = command();
    await waitUntil(
      async () => ((await service.admin("GET", "faults")) as { faults: unknown[] }).faults.length === 0,
      () => `${method} ${path}`,
    );
    await service.kill();
    await service.start();
    return running.waitForExit();
  }

  test("while an up waits for it does not fail the up, and one thread exists", async () => {
    await stack.program.write(program(deployment));
    expect(await killServerDuring("GET", "ok", () => stack.startUp())).toMatchObject({ code: 0 });
    expect(await threads(server())).toMatchObject([{ thread_id: await session() }]);
  });

  test("while an up updates a thread fails that up, and the next one applies the update", async () => {
    await stack.program.write(program(deployment, { team: "sales" }));
    const failed = await killServerDuring("PATCH", "threads/*", () => stack.startUp());
    expect(failed.code).not.toBe(0);
    expect(failed.output).toContain("PATCH /threads/");
    const next = await stack.up();
    expect(next).toMatchObject({ code: 0 });
    expect(steps(next)).toEqual(["update session"]);
    expect(await threads(server())).toMatchObject([{ thread_id: await session(), metadata: { team: "sales" } }]);
  });

  // @covers 1B, 3.4
  test("during a run neither loses nor repeats a step", async () => {
    const id = await session();
    await service.admin("POST", "clock", { frozen: true });
    const turn = { assistant_id: "counter", input: { steps: 4 } };
    const { run_id } = await callAgentServer<{ run_id: string }>(server(), "POST", `/threads/${id}/runs`, turn);
    const run = () => callAgentServer(server(), "GET", `/threads/${id}/runs/${run_id}`);
    await service.admin("POST", "clock", { advance_ms: 1200 });
    const historyBefore = await history(server(), id);
    expect(historyBefore[0]?.values.count).toBeGreaterThan(0);
    await service.kill();

    await service.start();
    expect(await history(server(), id)).toEqual(historyBefore);
    expect(await run()).toMatchObject({ status: "running" });
    await service.admin("POST", "clock", { advance_ms: 10_000 });
    expect(await run()).toMatchObject({ status: "success" });
    const historyAfter = await history(server(), id);
    expect(historyAfter.map(({ metadata }) => metadata.step)).toEqual(
      [...historyAfter.keys()].map((n) => historyAfter.length - 2 - n),
    );
    expect(historyAfter.slice(0, 4).map(({ values }) => values.count)).toEqual([4, 3, 2, 1]);
    expect(traceNames(folder)).toEqual(["counter", "count", "count", "count", "count"]);
    expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
  });

  test("while a destroy deletes a thread does not fail the destroy", async () => {
    expect(await killServerDuring("DELETE", "threads/*", () => stack.startDestroy())).toMatchObject({ code: 0 });
    expect(await threads(server())).toEqual([]);
  });
});

/** Returns the names of the trace runs that the server stores in this folder, each root before its children. */
function traceNames(folder: string): unknown[] {
  const file = new DatabaseSync(join(folder, "emulator.sqlite"), { readOnly: true });
  const rows = file.prepare("SELECT name FROM runs ORDER BY dotted_order").all();
  file.close();
  return rows.map(({ name }) => name);
}
