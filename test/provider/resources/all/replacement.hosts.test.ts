/** A replacement whose create is certain to fail: it is refused before the old object is deleted. */
import { RunState } from "../../../../provider/engine/run/run-state";
import { UNKNOWN } from "../../../../provider/plan/property-values";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createAssistant } from "../../../support/assistants";
import { createCron } from "../../../support/crons";
import { createDeployment } from "../../../support/deployments/create";
import { dockerDeployment, LISTENER_ID } from "../../../support/deployments/inputs";
import { createDestination, destination, destinationStack } from "../../../support/destinations";
import { failureOf } from "../../../support/errors";
import { startWorkspace } from "../../../support/exports";
import type { Platform } from "../../../support/platform";
import { type Stack, stateOf } from "../../../support/stack";
import { createThread, superstep } from "../../../support/threads";

const UNKNOWN_ID = "99999999-9999-4999-8999-999999999999";

/** A resource whose object exists. */
interface Created {
  platform: Platform;
  stack: Stack;
  /** Inputs of which nothing can be created; returns what the error says. */
  impossible: PropertyMap;
}

async function startDeployment(change: PropertyMap = {}): Promise<Pick<Created, "platform" | "stack">> {
  const { platform, stack } = await createDeployment(dockerDeployment(change));
  return { platform, stack };
}

const scenarios: [string, string, () => Promise<Created>][] = [
  [
    "Deployment: a new name that is taken",
    'the name "taken" is taken by deployment',
    async () => {
      const created = await startDeployment();
      await created.platform.emulator.seed({ deployments: [{ name: "taken" }] });
      return { ...created, impossible: dockerDeployment({ name: "taken" }) };
    },
  ],
  [
    "Deployment: a new name that the server rejects",
    'name: "Agent_B" may be rejected',
    async () => ({ ...(await startDeployment()), impossible: dockerDeployment({ name: "Agent_B" }) }),
  ],
  [
    "Deployment: another change that the server rejects",
    "imageUri: must not start with https://",
    async () => ({
      ...(await startDeployment()),
      impossible: dockerDeployment({ name: "b", sourceRevisionConfig: { imageUri: "https://r.example.com/a:1" } }),
    }),
  ],
  [
    "Deployment: a listener that does not exist",
    `listener ${UNKNOWN_ID} does not exist in this workspace. Its listeners: ${LISTENER_ID}.`,
    async () => ({
      ...(await startDeployment({ sourceConfig: { listenerId: LISTENER_ID } })),
      impossible: dockerDeployment({ sourceConfig: { listenerId: UNKNOWN_ID } }),
    }),
  ],
  [
    "Deployment: a namespace that the listener does not deploy to",
    'does not deploy to "elsewhere", only to',
    async () => ({
      ...(await startDeployment({ sourceConfig: { listenerId: LISTENER_ID } })),
      impossible: dockerDeployment({
        sourceConfig: { listenerId: LISTENER_ID, listenerConfig: { k8sNamespace: "elsewhere" } },
      }),
    }),
  ],
  [
    "Deployment: a folder that does not exist",
    "no-such-folder",
    async () => ({
      ...(await startDeployment()),
      impossible: {
        ...{ name: "agent", source: "internal_source", sourcePath: "no-such-folder" },
        sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json" },
      },
    }),
  ],
  [
    "Thread: an ID that is taken",
    "already exists",
    async () => {
      const { agents, stack } = await createThread({ threadId: "11111111-1111-4111-8111-111111111111" });
      await agents.callAgentServer("POST", "/threads", { thread_id: UNKNOWN_ID, metadata: { customer: "ada" } });
      return { platform: agents, stack, impossible: agents.threadInputs({ threadId: UNKNOWN_ID }) };
    },
  ],
  [
    "Thread: a graph that does not exist",
    'has no graph "ecko". Did you mean "echo"?',
    async () => {
      const { agents, stack } = await createThread();
      const supersteps = [superstep({ messages: [] })];
      const impossible = agents.threadInputs({ supersteps, metadata: { graph_id: "ecko" } });
      return { platform: agents, stack, impossible };
    },
  ],
  [
    "Thread: a copy of a thread that does not exist",
    `has no thread ${UNKNOWN_ID}`,
    async () => {
      const { agents, stack } = await createThread();
      return { platform: agents, stack, impossible: agents.threadInputs({ copyFrom: UNKNOWN_ID }) };
    },
  ],
  [
    "Thread: a copy of itself",
    "cannot be a copy of itself",
    async () => {
      const { agents, stack, id } = await createThread();
      return { platform: agents, stack, impossible: agents.threadInputs({ copyFrom: id }) };
    },
  ],
  [
    "Thread: a deployment that does not exist",
    `deployment ${UNKNOWN_ID} does not exist in this workspace`,
    async () => {
      const { agents, stack } = await createThread();
      return { platform: agents, stack, impossible: agents.threadInputs({ deploymentId: UNKNOWN_ID }) };
    },
  ],
  [
    "Assistant: an ID that is taken",
    "already exists",
    async () => {
      const { agents, stack } = await createAssistant({ assistantId: "11111111-1111-4111-8111-111111111111" });
      await agents.callAgentServer("POST", "/assistants", { assistant_id: UNKNOWN_ID, graph_id: "echo" });
      return { platform: agents, stack, impossible: agents.assistantInputs({ assistantId: UNKNOWN_ID }) };
    },
  ],
  [
    "Assistant: a graph that does not exist",
    'has no graph "ecko". Did you mean "echo"?',
    async () => {
      const { agents, stack } = await createAssistant();
      const impossible = agents.assistantInputs({ graphId: "ecko", assistantId: UNKNOWN_ID });
      return { platform: agents, stack, impossible };
    },
  ],
  [
    "Cron: an assistant that does not exist",
    `has no assistant ${UNKNOWN_ID}`,
    async () => {
      const { agents, crons, stack } = await createCron();
      return { platform: agents, stack, impossible: crons.inputs({ assistantId: UNKNOWN_ID }) };
    },
  ],
  [
    "Cron: a graph that does not exist",
    'has no graph "ecko"',
    async () => {
      const { agents, crons, stack } = await createCron();
      return { platform: agents, stack, impossible: crons.inputs({ assistantId: "ecko" }) };
    },
  ],
  [
    "Cron: a thread that does not exist",
    `has no thread ${UNKNOWN_ID}`,
    async () => {
      const { agents, crons, stack } = await createCron();
      return { platform: agents, stack, impossible: crons.inputs({ threadId: UNKNOWN_ID }) };
    },
  ],
  [
    "BulkExportDestination: one that exists already",
    'destination "other" already exists',
    async () => {
      const { platform, stack } = await createDestination();
      await destinationStack(platform, { name: "other" }).up(destination(platform, { displayName: "other" }));
      return { platform, stack, impossible: destination(platform, { displayName: "other" }) };
    },
  ],
  [
    "BulkExportDestination: a bucket name that no store accepts",
    "is not a valid bucket name",
    async () => {
      const { platform, stack } = await createDestination();
      return { platform, stack, impossible: destination(platform, { config: { bucketName: "s3://exports" } }) };
    },
  ],
  [
    "ScheduledBulkExport: a destination that does not exist",
    `destination ${UNKNOWN_ID} does not exist in this workspace`,
    async () => {
      const workspace = await startWorkspace();
      const stack = workspace.stack("ScheduledBulkExport");
      await stack.up(workspace.daily());
      return { platform: workspace, stack, impossible: workspace.daily({ bulkExportDestinationId: UNKNOWN_ID }) };
    },
  ],
  [
    "ScheduledBulkExport: one that is active already",
    "already exists",
    async () => {
      const workspace = await startWorkspace();
      const stack = workspace.stack("ScheduledBulkExport");
      await stack.up(workspace.daily());
      // Its start depends on the clock, which a request may advance.
      const other = workspace.daily({ intervalHours: 12 });
      await workspace.stack("ScheduledBulkExport", { name: "other" }).up(other);
      return { platform: workspace, stack, impossible: other };
    },
  ],
  [
    "ScheduledBulkExport: a format that servers do not know",
    '"parquett" is not known',
    async () => {
      const workspace = await startWorkspace();
      const stack = workspace.stack("ScheduledBulkExport");
      await stack.up(workspace.daily());
      return { platform: workspace, stack, impossible: workspace.daily({ format: "parquett" }) };
    },
  ],
];

it.each(scenarios)("%s fails a replacement before anything is deleted", async (_what, expected, start) => {
  const { platform, stack, impossible } = await start();
  const { id } = stateOf(stack);
  await platform.emulator.requestLog.clear();
  expect((await failureOf(stack.up(impossible))).message).toContain(expected);
  const changes = platform.requests().filter((request) => !/^(GET|POST .*\/search$|POST \/_)/.test(request));
  expect(changes).toEqual([]);
  expect(stateOf(stack).id).toBe(id);
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
  const { message } = await failureOf(threadHost.delete(id, outputs));
  expect(message).toMatch(/^Thread "session": Deployment "agent" cannot be replaced, so nothing was deleted: the name/);
  expect(agents.requests({ method: "DELETE" })).toEqual([]);
});

it("A replacement without a comparison, as by `--replace`, is verified as well", async () => {
  const { platform, stack } = await startDeployment();
  await platform.emulator.seed({ deployments: [{ name: "taken" }] });
  const host = stack.host();
  const { id, outputs } = stateOf(stack);
  await stack.check(dockerDeployment({ name: "taken" }), host, {}, {});
  await expect(host.delete(id, outputs)).rejects.toThrow('the name "taken" is taken');
  expect(platform.requests({ method: "DELETE" })).toEqual([]);
});

it("An object is deleted without a verification after its successor was created", async () => {
  const { platform, stack } = await startDeployment();
  const host = stack.host();
  const { id, outputs } = stateOf(stack);
  await host.create(await stack.check(dockerDeployment({ name: "successor" }), host, {}, {}));
  await host.delete(id, outputs);
  expect((await platform.deployments()).map(({ name }) => name)).toEqual(["successor"]);
});

it("A create that fails after the delete says so, and does not claim that no changes were made", async () => {
  const { agents, stack, id } = await createThread({ threadId: "11111111-1111-4111-8111-111111111111" });
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
