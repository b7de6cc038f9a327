/** A replacement whose create is certain to fail: it is refused before the old object is deleted. */
import { RunState } from "../../../../provider/engine/run/run-state";
import { UNKNOWN } from "../../../../provider/plan/property-values";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createThread, superstep } from "../../../support/agents/threads";
import { createDeployment } from "../../../support/deployments/create";
import { dockerDeployment, LISTENER_ID } from "../../../support/deployments/inputs";
import { failureOf } from "../../../support/errors";
import { dynamicHostOnly, sampled, stateOf } from "../../../support/stack";
import { type Sample, type SampleKind, sampleKinds } from "./kinds";

const UNKNOWN_ID = "99999999-9999-4999-8999-999999999999";

const OWN_ID = "11111111-1111-4111-8111-111111111111";
const listening = (sourceConfig: PropertyMap) => ({ sourceConfig: { listenerId: LISTENER_ID, ...sourceConfig } });

/** Creates an object of someone else. */
const seize = async ({ platform, path }: Sample, body: object) =>
  expect(await platform.call("POST", path("").slice(0, -1), body)).toMatchObject({ status: 200 });

interface Scenario {
  error: string;
  /** What the program declares beside the inputs of the sample, at first and then. */
  before?: PropertyMap;
  next: PropertyMap | ((sample: Sample & { id: string }) => PropertyMap | Promise<PropertyMap>);
}

const exportOf = (other: PropertyMap): Record<string, Scenario> => ({
  "a destination that does not exist": {
    error: `destination ${UNKNOWN_ID} does not exist in this workspace`,
    next: { bulkExportDestinationId: UNKNOWN_ID },
  },
  "a project that does not exist": {
    error: `project ${UNKNOWN_ID} does not exist in this workspace`,
    next: { sessionId: UNKNOWN_ID },
  },
  "one that is active already": {
    error: "already exists",
    next: async ({ stack, declared }) => {
      await stack.fork({ name: "other" }).up({ ...declared, ...other });
      return other;
    },
  },
  "a format that servers do not know": { error: '"parquett" is not known', next: { format: "parquett" } },
});

/** Inputs of which nothing can be created, by kind. */
const scenarios: Record<string, Record<string, Scenario>> = {
  Deployment: {
    "a new name that is taken": {
      error: 'the name "taken" is taken by deployment',
      next: ({ platform }) =>
        platform.emulator.seed({ deployments: [{ name: "taken" }] }).then(() => ({ name: "taken" })),
    },
    "a new name that the server rejects": { error: 'name: "Agent_B" may be rejected', next: { name: "Agent_B" } },
    "another change that the server rejects": {
      error: "imageUri: must not start with https://",
      next: { name: "b", sourceRevisionConfig: { imageUri: "https://r.example.com/a:1" } },
    },
    "a listener that does not exist": {
      error: `listener ${UNKNOWN_ID} does not exist in this workspace. Its listeners: ${LISTENER_ID}.`,
      ...{ before: listening({}), next: listening({ listenerId: UNKNOWN_ID }) },
    },
    "a namespace to which the listener does not deploy": {
      error: 'does not deploy to "elsewhere", only to',
      ...{ before: listening({}), next: listening({ listenerConfig: { k8sNamespace: "elsewhere" } }) },
    },
    "a folder that does not exist": {
      error: "no-such-folder",
      next: {
        ...{ source: "internal_source", sourcePath: "no-such-folder" },
        sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json" },
      },
    },
  },
  Thread: {
    "an ID that is taken": {
      ...{ error: "already exists", before: { threadId: OWN_ID } },
      next: (sample) => seize(sample, { thread_id: UNKNOWN_ID }).then(() => ({ threadId: UNKNOWN_ID })),
    },
    "a graph that does not exist": {
      error: 'has no graph "ecko". Did you mean "echo"?',
      next: { supersteps: [superstep({ messages: [] })], metadata: { graph_id: "ecko" } },
    },
    "a node that does not exist": {
      error: 'has no node "ecko". Did you mean "echo"?',
      next: { supersteps: [superstep({ messages: [] }, "ecko")] },
    },
    "a source that does not exist": { error: `has no thread ${UNKNOWN_ID}`, next: { copyFrom: UNKNOWN_ID } },
    "itself as the source": { error: "cannot be a copy of itself", next: ({ id }) => ({ copyFrom: id }) },
    "a deployment that does not exist": {
      error: `deployment ${UNKNOWN_ID} does not exist in this workspace`,
      next: { deploymentId: UNKNOWN_ID },
    },
  },
  Assistant: {
    "an ID that is taken": {
      ...{ error: "already exists", before: { assistantId: OWN_ID } },
      next: (sample) =>
        seize(sample, { assistant_id: UNKNOWN_ID, graph_id: "echo" }).then(() => ({ assistantId: UNKNOWN_ID })),
    },
    "a graph that does not exist": {
      error: 'has no graph "ecko". Did you mean "echo"?',
      next: { graphId: "ecko", assistantId: UNKNOWN_ID },
    },
  },
  Cron: {
    "an assistant that does not exist": { error: `has no assistant ${UNKNOWN_ID}`, next: { assistantId: UNKNOWN_ID } },
    "a graph that does not exist": {
      error: 'has no graph "ecko". Did you mean "echo"?',
      next: { assistantId: "ecko" },
    },
    "a thread that does not exist": { error: `has no thread ${UNKNOWN_ID}`, next: { threadId: UNKNOWN_ID } },
  },
  BulkExportDestination: {
    "one that exists already": {
      error: 'destination "other" already exists',
      next: async ({ stack, declared }) => {
        await stack.fork({ name: "other" }).up({ ...declared, displayName: "other" });
        return { displayName: "other" };
      },
    },
    "a bucket name that no store accepts": {
      error: "is not a valid bucket name",
      next: ({ declared }) => ({ config: { ...(declared.config as PropertyMap), bucketName: "s3://exports" } }),
    },
  },
  BulkExport: exportOf({ endTime: "2026-01-03T00:00:00Z" }),
  ScheduledBulkExport: exportOf({ intervalHours: 12 }),
};

describe.each(Object.entries(scenarios))("%s: a replacement", (kind, ofKind) => {
  it.each(sampled(Object.entries(ofKind)))("by %s deletes nothing", async (_what, { error, before = {}, next }) => {
    const sample = await (sampleKinds[kind] as SampleKind).start();
    const { platform, stack, declared } = sample;
    const { id } = await stack.stateAfter({ ...declared, ...before });
    const change = typeof next === "function" ? await next({ ...sample, id }) : next;
    await platform.emulator.requestLog.clear();
    await expect(stack.up({ ...declared, ...change })).rejects.toThrow(error);
    const changes = platform.requests().filter((request) => !/^(GET|POST .*\/search$|POST \/_)/.test(request));
    expect(changes).toEqual([]);
    expect(stateOf(stack).id).toBe(id);
  });
});

it("A thread is not deleted before its deployment, whose replacement is certain to fail", async () => {
  const { agents, stack, id } = await createThread();
  const run = new RunState();
  await agents.emulator.seed({ deployments: [{ name: "taken" }] });
  const deployment = stack.fork({ kind: "Deployment", name: "agent" });
  await deployment.import(agents.deploymentId);
  const [deploymentHost, threadHost] = [deployment.host({}, run), stack.host({}, run)];
  await deployment.diff(dockerDeployment({ name: "taken" }), deploymentHost);
  // The engine compares what depends on it with an unknown ID, and deletes it first.
  const { inputs, outputs } = stateOf(stack);
  expect((await threadHost.diff(id, outputs, { ...inputs, deploymentId: UNKNOWN })).replaces).toEqual(["deploymentId"]);
  await expect(threadHost.delete(id, outputs)).rejects.toThrow(
    /^Thread "session": Deployment "agent" cannot be replaced, so nothing was deleted: the name/,
  );
  expect(agents.requests({ method: "DELETE" })).toEqual([]);
});

it("A replacement without a comparison, as by `--replace`, is verified as well", async () => {
  const { platform, stack } = await createDeployment();
  await platform.emulator.seed({ deployments: [{ name: "taken" }] });
  const host = stack.host();
  const { id, outputs } = stateOf(stack);
  await stack.check(dockerDeployment({ name: "taken" }), host, {}, {});
  await expect(host.delete(id, outputs)).rejects.toThrow('the name "taken" is taken');
  expect(platform.requests({ method: "DELETE" })).toEqual([]);
});

it("An object is deleted without a verification after its successor was created", async () => {
  const { platform, stack } = await createDeployment();
  const host = stack.host();
  const { id, outputs } = stateOf(stack);
  await host.create(await stack.check(dockerDeployment({ name: "successor" }), host, {}, {}));
  await host.delete(id, outputs);
  expect((await platform.deployments()).map(({ name }) => name)).toEqual(["successor"]);
});

/** How the host of dynamic resources runs an update by a program that has the resource option `import`. */
const importing = ({ stack }: Sample, inputs: PropertyMap, id: string) =>
  stack.up(inputs, stack.host(), { __import: id });

dynamicHostOnly(describe)("The resource option `import` in a replacement", () => {
  const startDestination = async () => {
    const sample = await (sampleKinds.BulkExportDestination as SampleKind).start();
    const { stack, declared } = sample;
    const inputs = (displayName: string): PropertyMap => ({ ...declared, displayName });
    await stack.fork({ name: "other" }).up(inputs("other"));
    return { ...sample, inputs };
  };

  it("is ignored where it names the replaced object, as a program may keep it", async () => {
    const sample = await startDestination();
    const { stack, inputs } = sample;
    const first = stack.fork({ name: "first" });
    const { id } = await first.stateAfter(inputs("imported"));
    expect(await importing(sample, inputs("imported"), id)).toBe("create");
    expect(await importing(sample, inputs("changed"), id)).toBe("replace");
    expect(stateOf(stack).id).not.toBe(id);
    await sample.stack.check(inputs("changed"), stack.host(), { __import: id });
    expect(await importing(sample, inputs("changed"), id)).toBe("same");
  });

  it("imports the object that made a replacement fail", async () => {
    const sample = await startDestination();
    const { stack, inputs } = sample;
    await stack.up(inputs("first"));
    const { message } = await failureOf(stack.up(inputs("other")));
    const [, id = ""] = /import: "([^"]+)"/.exec(message) ?? [];
    expect(await importing(sample, inputs("other"), id)).toBe("replace");
    expect(stateOf(stack).id).toBe(id);
  });

  it.each([
    ["does not exist", "no BulkExportDestination with ID", () => UNKNOWN_ID],
    ["differs from the program", "differs from the program", (other: string) => other],
  ])("fails before the delete when the object that it names %s", async (_what, error, imported) => {
    const sample = await startDestination();
    const { stack, inputs, platform } = sample;
    const { id } = await stack.stateAfter(inputs("first"));
    const other = await failureOf(stack.up(inputs("other"))).then(
      ({ message }) => /import: "([^"]+)"/.exec(message)?.[1],
    );
    await platform.emulator.requestLog.clear();
    await expect(importing(sample, inputs("third"), imported(other ?? ""))).rejects.toThrow(error);
    expect(platform.requests({ method: "DELETE" })).toEqual([]);
    expect(stateOf(stack).id).toBe(id);
  });
});

it("A create that fails after the delete says so, and does not claim that no changes were made", async () => {
  const { agents, stack, id } = await createThread({ threadId: OWN_ID });
  const host = stack.host();
  const remove = host.delete;
  host.delete = async (...args) => {
    await remove(...args);
    await agents.callAgentServer("POST", "/threads", { thread_id: UNKNOWN_ID, metadata: { customer: "ada" } });
  };
  const { message } = await failureOf(stack.up(agents.threadInputs({ threadId: UNKNOWN_ID }), host));
  expect(message).toContain("already exists");
  expect(message).not.toContain("No changes were made");
  expect(message).toContain(`Thread ${id}, which it replaces, had already been deleted.`);
});
