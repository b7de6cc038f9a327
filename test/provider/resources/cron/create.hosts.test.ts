/** Interrupted creates, lost responses and servers that ignore fields: a cron exists once, or not at all. */
import { RunState } from "../../../../provider/engine/run/run-state";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createCron, idsOf, POST, type RemoteCron, startCron, withoutMarker } from "../../../support/agents/crons";
import type { AgentPlatform } from "../../../support/agents/threads";
import { failureOf } from "../../../support/errors";
import { startProxy } from "../../../support/servers/proxy";
import { expectClean, stateOf } from "../../../support/stack";

it("A cron of a killed run gets what was declared since by one PATCH or a replacement", async () => {
  const { agents, crons, stack, declared } = await startCron({ webhook: "https://1.1.1.1/" });
  await stack.fork().up(declared);
  const [before] = idsOf(await crons.list());
  const changed = { ...declared, schedule: "0 4 * * *", enabled: false };
  await agents.emulator.requestLog.clear();
  const second = stack.fork();
  await second.up(changed);
  expect(crons.bodies("PATCH")).toHaveLength(1);
  expect(await crons.list()).toMatchObject([{ cron_id: before, schedule: "0 4 * * *", enabled: false }]);
  await stack.up({ ...changed, webhook: undefined });
  expect(await crons.list()).toHaveLength(1);
  expect(stateOf(stack).id).not.toBe(before);
  await agents.emulator.requestLog.clear();
  expect(await stack.refresh()).toBe("same");
});

it("A disabled cron of a killed run with another assistant is named as such, and left alone", async () => {
  const { agents, crons, stack, declared } = await startCron({ enabled: false });
  await stack.fork().up(declared);
  const [left] = idsOf(await crons.list());
  await stack.up({ ...declared, assistantId: "interrupt" });
  expect(await crons.list()).toHaveLength(2);
  const where = `${agents.url}${agents.basePath}`;
  const what = `that no resource manages (each fires unless it is disabled): ${left} (disabled).`;
  expect(stack.messages).toEqual([expect.stringContaining(`left crons at ${where} ${what}`)]);
});

/** Sends the create request of a cron once more, as a proxy does, or someone who copies what the server returns. */
async function recreate(agents: AgentPlatform, { payload, metadata, schedule }: RemoteCron, change: PropertyMap = {}) {
  const { pulumi_cron_id: _, ...sent } = metadata;
  const body = { ...payload, config: {}, metadata: sent, schedule, ...change };
  return ((await agents.callAgentServer("POST", "/runs/crons", body)).body as unknown as RemoteCron).cron_id;
}

it("Two crons with the marker of one resource are both left alone, with their IDs and what to do", async () => {
  const { agents, crons, stack, id } = await createCron();
  for (let twins = 0; twins < 2; twins++) await recreate(agents, await crons.get(id));
  await agents.callAgentServer("DELETE", `/runs/crons/${id}`);
  const before = await crons.list();
  const second = stack.fork();
  const { message } = await failureOf(second.up(crons.inputs()));
  for (const cronId of idsOf(before)) expect(message).toContain(cronId);
  expect(message).toContain(
    `Several crons at ${agents.url}${agents.basePath} have the ownership marker of this resource, and each of ` +
      "them fires unless it is disabled: ",
  );
  expect(message).toContain("No changes were made.\nDelete all but one, and run `pulumi up` again");
  expect(message).toContain(`DELETE ${agents.url}${agents.basePath}/runs/crons/`);
  expect(await crons.list()).toEqual(before);
});

describe("a second cron with the marker of this resource", () => {
  it("that another run created at the same time is named by at least one of the two", async () => {
    const { agents, crons, stack } = await startCron();
    // Both have searched before either creates.
    const bothSent = Promise.withResolvers<undefined>();
    let sent = 0;
    const url = await startProxy(agents.url, ({ method, path }) => {
      if (method !== "POST" || !path.endsWith("/runs/crons")) return undefined;
      sent += 1;
      if (sent === 2) bothSent.resolve(undefined);
      return bothSent.promise;
    });
    const declared = crons.inputs({ deploymentId: undefined, deploymentUrl: url + agents.basePath });
    const runs = [stack.fork(), stack.fork()];
    await Promise.all(runs.map((run) => run.up(declared)));
    expect(idsOf(await crons.list())).toHaveLength(2);
    expect(runs.flatMap(({ messages }) => messages).join()).toMatch(/Other crons at .+ have the same ownership marker/);
  });

  it("from a request that arrived late is named by a refresh and a destroy, and never deleted", async () => {
    const { agents, crons, stack, id } = await createCron();
    const twin = await recreate(agents, await crons.get(id));
    const other = crons.stack({ name: "other" });
    await other.up(crons.inputs());
    expect(await stack.refresh()).toBe("same");
    const what =
      `Other crons at ${agents.url}${agents.basePath} have the same ownership marker (each fires unless it is ` +
      `disabled): ${twin}.`;
    expect(stack.messages).toEqual([expect.stringContaining(`This resource manages cron ${id}. ${what}`)]);
    expect(stack.messages[0]).toContain(`DELETE ${agents.url}${agents.basePath}/runs/crons/${twin}`);
    stack.messages = [];
    await stack.destroy();
    expect(stack.messages).toContainEqual(expect.stringContaining(`Cron ${id} was deleted. ${what}`));
    expect(idsOf(await crons.list())).toEqual([stateOf(other).id, twin]);
  });

  it("costs a refresh of many crons one search", async () => {
    const { agents, crons, stack, id } = await createCron();
    const second = crons.stack({ name: "second" });
    await second.up(crons.inputs());
    await agents.emulator.requestLog.clear();
    const run = new RunState();
    for (const one of [stack, second]) await one.refresh(one.host({}, run));
    expect(agents.agentRequests().filter((request) => request.includes("search"))).toHaveLength(1);
    expect(stateOf(stack).id).toBe(id);
  });
});

it.each([
  ["a schedule and an input", { schedule: "30 5 * * *", input: { theirs: true } }],
  ["a webhook", { webhook: "https://1.1.1.1/" }],
  ["a context", { context: { theirs: true } }],
  ["a configuration", { config: { tags: ["theirs"] } }],
])(
  "a cron of others with the metadata of ours is neither taken nor changed if only %s shows whose it is",
  async (_what, change) => {
    const { agents, crons, stack, id } = await createCron();
    const copy = await recreate(agents, await crons.get(id), change);
    await agents.callAgentServer("DELETE", `/runs/crons/${id}`);
    const before = await crons.list();
    const { message } = await failureOf(stack.fork().up(crons.inputs()));
    expect(message).toContain(
      `Cron ${copy} at ${agents.url}${agents.basePath} has the ownership marker of this resource`,
    );
    expect(message).toContain("No changes were made");
    expect(await crons.list()).toEqual(before);
  },
);

it("A cron of an earlier version, without its ID in the marker, is resumed if it equals the program", async () => {
  const { agents, crons, stack, id } = await createCron();
  const legacy = await recreate(agents, await crons.get(id));
  await agents.callAgentServer("DELETE", `/runs/crons/${id}`);
  const next = stack.fork();
  await next.up(crons.inputs());
  expect(stateOf(next).id).toBe(legacy);
  await next.up(crons.inputs({ schedule: "0 4 * * *" }));
  expect((await crons.get(legacy)).metadata).toMatchObject({ pulumi_cron_id: legacy });
});

it("with ownerMarker: false a lost response is an error that names the crons that it may have created", async () => {
  const { agents, crons, stack, declared } = await startCron();
  await agents.addFault({ ...POST(agents), connection: "reset-after", times: 1 });
  const { message } = await failureOf(stack.fork(withoutMarker).up(declared));
  const [created] = idsOf(await crons.list());
  expect(message).toContain(`nothing shows whether it created one of these crons: ${created}.`);
  expect(message).toContain("To adopt one:");
});

// @covers 4B.PATCH /runs/crons/{cron_id}:part
it("After a rejected PATCH, which may be stored in part, the next run reads the cron before it compares", async () => {
  const { agents, crons, stack, id } = await createCron();
  const path = `${agents.basePath}/runs/crons/*`;
  await agents.addFault({ method: "PATCH", path, status: 422, body: { detail: "bad" }, times: 1 });
  await expect(stack.up(crons.inputs({ timezone: "Europe/Berlin" }))).rejects.toThrow("422");
  await crons.patch(id, { timezone: "Asia/Tokyo" });
  expect(await stack.up(crons.inputs())).toBe("update");
  expect(crons.bodies("PATCH")).toMatchObject([{ schedule: "0 3 * * *", timezone: "UTC" }]);
  expect(await crons.get(id)).toMatchObject({ timezone: "UTC" });
  expect(await stack.up(crons.inputs())).toBe("same");
});

it("What the program removes, such as a metadata key, is removed although two updates failed", async () => {
  const { agents, crons, stack, id } = await createCron({ metadata: { team: "a", old: 1 }, context: { tone: "a" } });
  const path = `${agents.basePath}/runs/crons/*`;
  await agents.addFault({ method: "PATCH", path, status: 422, body: { detail: "bad" }, times: 2 });
  const changed = crons.inputs({ metadata: { team: "b" } });
  await expect(stack.up(changed)).rejects.toThrow("422");
  await expect(stack.up(changed)).rejects.toThrow("422");
  await stack.up(changed);
  expect(await crons.get(id)).toMatchObject({ metadata: { team: "b", old: null }, payload: { context: {} } });
});

it("A cron stays in state where the API key belongs to another workspace than its deployment", async () => {
  const { agents, stack } = await createCron();
  const held = stateOf(stack);
  await agents.call("DELETE", `/v2/deployments/${agents.deploymentId}`);
  await agents.advance(600_000);
  await agents.emulator.seed({ deployments: [{ name: "other", source: "internal_docker" }] });
  held.outputs.tenantId = "99999999-9999-4999-8999-999999999999";
  await expect(stack.refresh()).rejects.toThrow("was created in workspace 99999999-9999-4999-8999-999999999999");
  expect(stack.state).toBeDefined();
});

it("A schedule in another writing does not differ, and sends no request", async () => {
  const { agents, crons, stack } = await createCron({ schedule: "0  03 * * MON-FRI" });
  await expectClean(stack, crons.inputs({ schedule: "0 3 * * 1,2,3,4,5" }));
  expect(agents.agentRequests().filter((request) => request.startsWith("PATCH"))).toEqual([]);
});
