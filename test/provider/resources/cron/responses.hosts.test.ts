import type { PropertyMap } from "../../../../provider/schema/schema";
import { createCron, idsOf, POST, startCron, withoutMarker } from "../../../support/agents/crons";
import type { AgentPlatform, startAgents } from "../../../support/agents/threads";
import { failureOf } from "../../../support/errors";
import { startRewritingProxy } from "../../../support/servers/rewriting-proxy";
import { Stack, stateOf } from "../../../support/stack";

/** Starts a proxy that changes responses of the agent server. */
async function behind(respond: (url: string, text: string) => string, change: PropertyMap = {}, settings = {}) {
  const { agents, crons } = await startCron();
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
    for (const text of [`ignores ${what}`, "It was deleted again"]) expect(message).toContain(text);
    expect([stack.state, await crons.list()]).toEqual([undefined, []]);
  });

  it("without it keeps the cron in state when it cannot be deleted", async () => {
    const { agents, crons, stack, declared } = await behindProxy(({ enabled: _, ...rest }) => rest, { enabled: false });
    await agents.addFault({ method: "DELETE", path: `${agents.basePath}/runs/crons/*`, status: 503, times: 50 });
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
    const { id } = await stack.stateAfter(declared);
    await expect(stack.up({ ...declared, enabled: false })).rejects.toThrow("It continues to fire");
    expect([stateOf(stack).id, idsOf(await crons.list())]).toEqual([id, [id]]);
  });
});

it("A create whose response was lost waits for a cron that the server shows later", async () => {
  const searches: string[] = [];
  // Before the create, after it, and then as the server has it.
  const { agents, crons, stack, declared } = await behind((url, text) =>
    url.endsWith("/runs/crons/search") && searches.push(url) < 4 ? "[]" : text,
  );
  await agents.addFault({ ...POST(agents), connection: "reset-after", times: 1 });
  await stack.up(declared);
  expect(idsOf(await crons.list())).toEqual([stateOf(stack).id]);
});

describe("an agent server without crons", () => {
  // @covers 2B.Cron
  it.each<[string, NonNullable<Parameters<typeof startAgents>[0]>]>([
    ["in JavaScript", { agentServer: "javascript" }],
    ["with the interface alone", { interfaceOnly: true }],
  ])("%s fails a create with one sentence", async (_what, options) => {
    for (const config of [{}, withoutMarker.config]) {
      const { crons, declared } = await startCron({}, options);
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
    const { agents, crons } = await startCron({}, { agentServer: "javascript" });
    for (const command of ["refresh", "destroy"] as const) {
      const stack = crons.stack();
      stack.state = movedTo(agents, python);
      await stack[command]();
      expect(stack.state).toBeUndefined();
    }
  });

  it("that does not say so keeps state in a refresh, and a destroy warns", async () => {
    const full = await createCron();
    const { agents, stack } = await startCron({}, { interfaceOnly: true });
    stack.state = movedTo(agents, full);
    await expect(stack.refresh()).rejects.toThrow("This agent server does not support crons.");
    await stack.destroy();
    expect(stack.messages.at(-1)).toContain(`Cron ${full.id} was not deleted`);
  });
});
