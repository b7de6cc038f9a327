/** Interrupted creates, lost responses and servers that ignore fields: a cron exists once, or not at all. */
import { RunState } from "../../../../provider/engine/run/run-state";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createCron, cronsOf, type RemoteCron } from "../../../support/crons";
import { failureOf } from "../../../support/errors";
import { startProxy } from "../../../support/servers/proxy";
import { startRewritingProxy } from "../../../support/servers/rewriting-proxy";
import { expectClean, Stack, stateOf } from "../../../support/stack";
import { type AgentPlatform, startAgents } from "../../../support/threads";

const POST = (agents: AgentPlatform) => ({ method: "POST", path: `${agents.basePath}/runs/crons` }) as const;
const withoutMarker = { config: { ownerMarker: "false" } };

async function start(change: PropertyMap = {}, ...[options]: Parameters<typeof startAgents>) {
  const agents = await startAgents(options);
  const crons = cronsOf(agents);
  return { agents, crons, stack: crons.stack(), declared: crons.inputs(change) };
}
const idsOf = (crons: readonly RemoteCron[]) => crons.map(({ cron_id }) => cron_id);

/** Starts a proxy that changes responses of the agent server. */
async function behind(respond: (url: string, text: string) => string, change: PropertyMap = {}, settings = {}) {
  const { agents, crons } = await start();
  const proxy = await startRewritingProxy(agents, (deployment) => deployment, { respond });
  const config = { agentOrigins: JSON.stringify([proxy.url]), ...settings };
  const stack = new Stack(proxy, { kind: "Cron", name: "nightly", config });
  const deploymentUrl = proxy.url + agents.basePath;
  return { agents, crons, stack, declared: crons.inputs({ deploymentId: undefined, deploymentUrl, ...change }) };
}

/** The same for what it returns for a cron. */
const behindProxy = (alter: (cron: PropertyMap) => unknown, change: PropertyMap = {}) =>
  behind((url, text) => {
    if (!/\/runs\/crons(\/[0-9a-f-]+)?$/.test(url) || !text.startsWith("{")) return text;
    return JSON.stringify(alter(JSON.parse(text)));
  }, change);

it("A cron of a killed run gets what was declared since with one PATCH, or is replaced where no update can", async () => {
  const { agents, crons, stack, declared } = await start({ webhook: "https://1.1.1.1/" });
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
  const { agents, crons, stack, declared } = await start({ enabled: false });
  await stack.fork().up(declared);
  const [left] = idsOf(await crons.list());
  await stack.up({ ...declared, assistantId: "interrupt" });
  expect(await crons.list()).toHaveLength(2);
  const where = `${agents.url}${agents.basePath}`;
  const what = `that no resource manages (each fires unless it is disabled): ${left} (disabled).`;
  expect(stack.messages).toEqual([expect.stringContaining(`left crons at ${where} ${what}`)]);
});

/** Sends the create request of a cron once more, as a proxy does, or someone who copies what the server returns. */
async function repeatCreate(
  agents: AgentPlatform,
  { payload, metadata, schedule }: RemoteCron,
  change: PropertyMap = {},
) {
  const { pulumi_cron_id: _, ...sent } = metadata;
  const body = { ...payload, config: {}, metadata: sent, schedule, ...change };
  return ((await agents.callAgentServer("POST", "/runs/crons", body)).body as unknown as RemoteCron).cron_id;
}

it("Two crons with the marker of one resource are both left alone, with their IDs and what to do", async () => {
  const { agents, crons, stack, id } = await createCron();
  for (let twins = 0; twins < 2; twins++) await repeatCreate(agents, await crons.get(id));
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
    const { agents, crons, stack } = await start();
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
    const ids = idsOf(await crons.list());
    expect(ids).toHaveLength(2);
    expect(runs.flatMap(({ messages }) => messages).join()).toMatch(/Other crons at .+ have the same ownership marker/);
  });

  it("from a request that arrived late is named by a refresh and a destroy, and never deleted", async () => {
    const { agents, crons, stack, id } = await createCron();
    const twin = await repeatCreate(agents, await crons.get(id));
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

describe("a cron of others that was made from the metadata of ours", () => {
  it.each([
    ["a schedule and an input", { schedule: "30 5 * * *", input: { theirs: true } }],
    ["a webhook", { webhook: "https://1.1.1.1/" }],
    ["a context", { context: { theirs: true } }],
    ["a configuration", { config: { tags: ["theirs"] } }],
  ])("is neither taken nor changed if only %s shows whose it is, and no ID in the marker", async (_what, change) => {
    const { agents, crons, stack, id } = await createCron();
    const copy = await repeatCreate(agents, await crons.get(id), change);
    await agents.callAgentServer("DELETE", `/runs/crons/${id}`);
    const before = await crons.list();
    const { message } = await failureOf(stack.fork().up(crons.inputs()));
    expect(message).toContain(
      `Cron ${copy} at ${agents.url}${agents.basePath} has the ownership marker of this resource`,
    );
    expect(message).toContain("No changes were made");
    expect(await crons.list()).toEqual(before);
  });
});

it("A cron without its own ID in the marker, as earlier versions created it, is resumed if it equals the program", async () => {
  const { agents, crons, stack, id } = await createCron();
  const legacy = await repeatCreate(agents, await crons.get(id));
  await agents.callAgentServer("DELETE", `/runs/crons/${id}`);
  const next = stack.fork();
  await next.up(crons.inputs());
  expect(stateOf(next).id).toBe(legacy);
  await next.up(crons.inputs({ schedule: "0 4 * * *" }));
  expect((await crons.get(legacy)).metadata).toMatchObject({ pulumi_cron_id: legacy });
});

describe("with ownerMarker: false", () => {
  it("a lost response is an error that names the crons that it may have created", async () => {
    const { agents, crons, stack, declared } = await start();
    await agents.emulator.faults.add({ ...POST(agents), connection: "reset-after", times: 1 });
    const { message } = await failureOf(stack.fork(withoutMarker).up(declared));
    const [created] = idsOf(await crons.list());
    expect(message).toContain(`nothing shows whether it created one of these crons: ${created}.`);
    expect(message).toContain("To adopt one:");
  });
});

describe("a response", () => {
  it("that contains a cron of others is not believed without markers, and theirs is not managed", async () => {
    let theirs = "";
    const respond = (url: string, text: string) => (url.endsWith("/runs/crons") ? theirs : text);
    const { agents, crons, stack, declared } = await behind(respond, { enabled: false }, withoutMarker.config);
    const body = { assistant_id: "echo", schedule: "30 5 * * *", input: {} };
    theirs = JSON.stringify((await agents.callAgentServer("POST", "/runs/crons", body)).body);
    const { message } = await failureOf(stack.up(declared));
    const [own] = (await crons.list()).filter(({ schedule }) => schedule !== body.schedule);
    expect(message).toContain(own?.cron_id);
    expect(stack.state).toBeUndefined();
    expect(idsOf(await crons.list())).toContain(JSON.parse(theirs).cron_id);
  });

  it("that does not name the cron is settled by the marker", async () => {
    const { crons, stack, declared } = await behindProxy(({ cron_id: _, ...run }) => ({ run_id: "1", ...run }));
    await stack.up(declared);
    expect(idsOf(await crons.list())).toEqual([stateOf(stack).id]);
  });

  it.each<[string, PropertyMap, string]>([
    ["enabled: false", { enabled: false }, "enabled"],
    ["endTime", { endTime: "2999-01-01T00:00:00Z" }, "end_time"],
  ])("without %s means that the cron would fire, so it is deleted at once", async (what, declaredChange, field) => {
    const drop = ({ [field]: _, ...rest }: PropertyMap) => rest;
    const { crons, stack, declared } = await behindProxy(drop, declaredChange);
    const { message } = await failureOf(stack.up(declared));
    expect(message).toContain(`ignores ${what}`);
    expect(message).toContain("It was deleted again");
    expect([stack.state, await crons.list()]).toEqual([undefined, []]);
  });

  it("without it keeps the cron in state when it cannot be deleted", async () => {
    const { agents, crons, stack, declared } = await behindProxy(({ enabled: _, ...rest }) => rest, { enabled: false });
    await agents.emulator.faults.add({
      method: "DELETE",
      path: `${agents.basePath}/runs/crons/*`,
      status: 503,
      times: 50,
    });
    await expect(stack.up(declared)).rejects.toThrow("so it fires until you delete it");
    expect(idsOf(await crons.list())).toEqual([stateOf(stack).id]);
  });

  it("without another field is a warning", async () => {
    const drop = ({ timezone: _, payload, ...rest }: PropertyMap) => {
      const { webhook: __, ...others } = payload as PropertyMap;
      return { ...rest, payload: others };
    };
    const declared = { timezone: "Europe/Berlin", webhook: "https://1.1.1.1/" };
    const { crons, stack, declared: all } = await behindProxy(drop, declared);
    await stack.up(all);
    expect(await crons.list()).toHaveLength(1);
    expect(stack.messages).toEqual([expect.stringMatching(/^warn: timezone, webhook: the response does not contain/)]);
  });

  it("to a pause that the server ignores fails, and keeps the cron in state", async () => {
    const { crons, stack, declared } = await behindProxy(({ enabled: _, ...rest }) => rest);
    await stack.up(declared);
    const { id } = stateOf(stack);
    await expect(stack.up({ ...declared, enabled: false })).rejects.toThrow("It continues to fire");
    expect([stateOf(stack).id, idsOf(await crons.list())]).toEqual([id, [id]]);
  });
});

// @covers 4B.PATCH /runs/crons/{cron_id}:part
it("After a rejected PATCH, which may be stored in part, the next run reads the cron before it compares", async () => {
  const { agents, crons, stack, id } = await createCron();
  const path = `${agents.basePath}/runs/crons/*`;
  await agents.emulator.faults.add({ method: "PATCH", path, status: 422, body: { detail: "bad" }, times: 1 });
  await expect(stack.up(crons.inputs({ timezone: "Europe/Berlin" }))).rejects.toThrow("422");
  await crons.patch(id, { timezone: "Asia/Tokyo" });
  expect(await stack.up(crons.inputs())).toBe("update");
  expect(crons.bodies("PATCH")).toMatchObject([{ schedule: "0 3 * * *", timezone: "UTC" }]);
  expect(await crons.get(id)).toMatchObject({ timezone: "UTC" });
  expect(await stack.up(crons.inputs())).toBe("same");
});

it("What the program removes, such as a metadata key or the context, is removed although two updates failed", async () => {
  const { agents, crons, stack, id } = await createCron({
    metadata: { team: "a", old: 1 },
    context: { tone: "short" },
  });
  const path = `${agents.basePath}/runs/crons/*`;
  await agents.emulator.faults.add({ method: "PATCH", path, status: 422, body: { detail: "bad" }, times: 2 });
  const changed = crons.inputs({ metadata: { team: "b" } });
  await expect(stack.up(changed)).rejects.toThrow("422");
  await expect(stack.up(changed)).rejects.toThrow("422");
  await stack.up(changed);
  expect(await crons.get(id)).toMatchObject({ metadata: { team: "b", old: null }, payload: { context: {} } });
});

it("A create whose response was lost waits for a cron that the server shows later", async () => {
  const searches: string[] = [];
  // Before the create, after it, and then as the server has it.
  const { agents, crons, stack, declared } = await behind((url, text) =>
    url.endsWith("/runs/crons/search") && searches.push(url) < 4 ? "[]" : text,
  );
  await agents.emulator.faults.add({ ...POST(agents), connection: "reset-after", times: 1 });
  await stack.up(declared);
  expect(idsOf(await crons.list())).toEqual([stateOf(stack).id]);
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

describe("an agent server without crons", () => {
  // @covers 2B.Cron
  it.each<[string, NonNullable<Parameters<typeof startAgents>[0]>]>([
    ["in JavaScript", { agentServer: "javascript" }],
    ["with the interface alone", { interfaceOnly: true }],
  ])("%s fails a create with one sentence", async (_what, options) => {
    for (const config of [{}, withoutMarker.config]) {
      const { crons, declared } = await start({}, options);
      const { message } = await failureOf(crons.stack({ config } as never).up(declared));
      expect(message).toBe('Cron "nightly": This agent server does not support crons.');
    }
  });

  /** Returns the state of a cron as if this server had had it. */
  const movedTo = (agents: AgentPlatform, from: Awaited<ReturnType<typeof createCron>>) =>
    JSON.parse(
      JSON.stringify(stateOf(from.stack))
        .replaceAll(from.agents.url, agents.url)
        .replaceAll(from.agents.deploymentId, agents.deploymentId),
    );

  it("has no cron that state contains: a refresh removes it, and a destroy succeeds", async () => {
    const python = await createCron();
    const { agents, crons } = await start({}, { agentServer: "javascript" });
    for (const command of ["refresh", "destroy"] as const) {
      const stack = crons.stack();
      stack.state = movedTo(agents, python);
      await stack[command]();
      expect(stack.state).toBeUndefined();
    }
  });

  it("that does not say so keeps state in a refresh, and a destroy warns", async () => {
    const full = await createCron();
    const { agents, stack } = await start({}, { interfaceOnly: true });
    stack.state = movedTo(agents, full);
    await expect(stack.refresh()).rejects.toThrow("This agent server does not support crons.");
    await stack.destroy();
    expect(stack.state).toBeUndefined();
    expect(stack.messages.at(-1)).toContain(`Cron ${full.id} was not deleted`);
  });
});
