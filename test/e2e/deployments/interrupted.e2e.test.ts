/**
 * Dynamic resources whose pulumi is killed or stopped: nothing is duplicated, lost or partially written.
 * The tests in test/provider/ interrupt every request; here is what the engine and real processes add.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { destinationSource } from "../support/buckets";
import { fails } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { messagesOf } from "../support/cli/events";
import { waitUntilEnded } from "../support/cli/processes";
import { readTraces } from "../support/cli/trace-file";
import { agentSource } from "../support/programs/program";
import { waitUntil } from "../support/wait-until";
import { World } from "../support/world";

const world = new World();

const liveDeployment = {
  name: "live",
  source: "external_docker",
  revision_status: "DEPLOYED",
  source_revision_config: { image_uri: "registry.example.com/agent:1" },
} as const;

describe("pulumi", () => {
  let stack: CliStack;
  /** The path of its agent server. */
  let agentPath: string;
  const image = (version: number) => `registry.example.com/agent:${version}`;
  const idOf = async (name: string) => (await stack.resources()).get(name)?.id;
  const countOf = (method: string, path: string) => world.emulator.requestLog.count({ method, path });
  const threads = () => world.call<{ thread_id: string }[]>("POST", `${agentPath}/threads/search`, { limit: 100 });
  const destinations = () => world.call<{ id: string }[]>("GET", "/api/v1/bulk-exports/destinations");
  const agent = async () => (await world.deployments()).filter(({ name }) => name === "agent");

  /** Source text: a new deployment, a thread of one that exists, and a destination. */
  const program = (version: number, destinationOptions = {}) =>
    `${agentSource({ image: image(version) })}
    new agentgraph.Thread("session", { deploymentUrl: "${world.url}${agentPath}", metadata: { graph_id: "echo" } });
    ${destinationSource(world.emulator.bucket, "traces", destinationOptions)}`;

  beforeAll(async () => {
    const { deployments: [id = ""] = [] } = await world.emulator.seed({ deployments: [liveDeployment] });
    agentPath = `/agents/${id}`;
    stack = await world.stack({ project: "killed", env: world.tracing });
  });

  // @covers 4B.POST /threads:once
  test("is killed while it creates a deployment: none is created twice, and the next runs continue", async () => {
    const destinationPath = "/api/v1/bulk-exports/destinations";
    await stack.program.write(program(1));
    await world.emulator.faults.add({ method: "POST", path: "/agents/*/threads", delay_ms: 3000 });
    // The provider lists the destinations before and after the create: the second list keeps it from ending before the
    // kill.
    await world.emulator.faults.add({ method: "GET", path: destinationPath, skip: 1, delay_ms: 60_000 });
    const running = await world.startUpAndHold(stack);
    await waitUntil(
      () => countOf("POST", destinationPath) > 0 && world.emulator.faults.list().every((fault) => "hold" in fault),
      () => "the creates of the destination and the thread",
    );
    const hosts = (await running.kill()).filter(({ role }) => role === "host" || role === "launcher");
    expect(hosts).not.toEqual([]);
    await waitUntilEnded(hosts);
    await waitUntil(
      () => countOf("POST", "/agents/*/threads") > 0,
      () => "the end of the request for a thread",
    );
    await world.emulator.faults.clear();
    const [{ id } = { id: "" }, ...others] = await agent();
    expect(others).toEqual([]);

    await stack.runOrThrow("cancel", "--yes");

    await world.requests();
    const next = await fails(stack.up("--continue-on-error"));
    expect(messagesOf(next, "agent")).toContain(
      `Resuming Deployment ${id}: this resource created it in an earlier run that was interrupted, or ` +
        "retainOnDelete kept it.",
    );
    expect(countOf("POST", "/v2/deployments")).toBe(0);
    expect(await world.getDeployment(id)).toMatchObject({ status: "READY", revisions: [{ status: "DEPLOYED" }] });
    expect((await world.getDeployment(id))?.revisions).toHaveLength(1);
    expect(await idOf("agent")).toBe(id);
    expect(await threads()).toMatchObject([{ thread_id: await idOf("session") }]);
    // A destination has no place for an ownership marker: the error says how to import it.
    const [lake] = await destinations();
    expect(next.output).toContain(`import: "${lake?.id}"`);

    await stack.program.write(program(1, { import: lake?.id }));
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await destinations()).toMatchObject([{ id: await idOf("lake") }]);
    const pending = async () => (await stack.state()).deployment.pending_operations ?? [];
    expect(new Set((await pending()).map(({ type }) => type))).toEqual(new Set(["creating"]));
    expect(await stack.refresh("--clear-pending-creates")).toMatchObject({ code: 0 });
    expect(await pending()).toEqual([]);
  });

  test("is stopped with Ctrl-C once: it waits for the running deployment and saves it", async () => {
    await stack.program.write(program(2));
    const running = await world.startUpAndHold(stack);
    running.pressCtrlC();
    await running.waitForOutput("^C received");
    await world.emulator.faults.clear();
    expect((await running.waitForExit()).code).not.toBe(0);
    expect((await stack.resources()).get("agent")?.inputs).toMatchObject({
      sourceRevisionConfig: { imageUri: image(2) },
    });
  });

  test("is stopped with Ctrl-C twice: its trace is complete, and the next up continues", async () => {
    await stack.program.write(program(3));
    const traces = join(await world.createFolder("traces"), "dynamic.json");
    stack.env.PULUMI_OPTION_OTEL_TRACES = pathToFileURL(traces).href;
    const running = await world.startUpAndHold(stack);
    running.pressCtrlC();
    await running.waitForOutput("^C received");
    running.pressCtrlC();
    expect((await running.waitForExit()).code).not.toBe(0);
    delete stack.env.PULUMI_OPTION_OTEL_TRACES;
    const errors = new Map((await readTraces(traces)).ours.map(({ name, status }) => [name, status.message]));
    expect(errors.get("Deployment update")).toBe("The process ended before.");
    await world.emulator.faults.clear();
    expect(await stack.up()).toMatchObject({ code: 0 });
    const [{ id } = { id: "" }, ...others] = await agent();
    expect(others).toEqual([]);
    const { revisions = [] } = (await world.getDeployment(id)) ?? {};
    expect(revisions.map(({ source_revision_config: { image_uri } }) => image_uri)).toEqual([3, 2, 1].map(image));
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect([await agent(), await threads(), await destinations()]).toEqual([[], [], []]);
  });
});
