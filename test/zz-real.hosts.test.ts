import { startPlatform } from "./support/platform";
import { Stack, stateOf, isDynamicHost } from "./support/stack";
jest.setTimeout(120_000);
const PY = "http://127.0.0.1:18201", JS = "http://127.0.0.1:18202";
const call = async (base: string, method: string, path: string, body?: unknown) => {
  const r = await fetch(base + path, { method, headers: { "content-type": "application/json" }, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const t = await r.text();
  let b: any = t; try { b = JSON.parse(t); } catch {}
  return { status: r.status, body: b };
};
const tag = () => Math.random().toString(36).slice(2, 8);
describe.each([["py", PY], ["js", JS]])("real %s assistants", (_n, base) => {
  const start = async (config = {}) => {
    const platform = await startPlatform();
    return new Stack(platform, { kind: "Assistant", name: "a" + tag(), config: { apiKey: "", ...config } as never });
  };
  const inputs = (change = {}) => ({ deploymentUrl: base, graphId: "echo", name: "support", context: { model: "m" }, ...change });
  it("life", async () => {
    const s = await start();
    expect(await s.up(inputs())).toBe("create");
    const { id, outputs } = stateOf(s);
    expect(outputs.assistantId).toBe(id);
    expect(await s.refresh()).toBe("same");
    expect(await s.up(inputs())).toBe("same");
    expect(await s.up(inputs({ context: { model: "n" } }))).toBe("update");
    const created = (await call(base, "GET", `/assistants/${id}`)).body.created_at;
    await call(base, "POST", `/assistants/${id}/latest`, { version: 1 });
    expect((await call(base, "GET", `/assistants/${id}`)).body.created_at).toBe(created);
    expect(await s.refresh()).not.toBe("gone");
    await s.up(inputs({ context: { model: "n" } }));
    expect(await s.refresh()).toBe("same");
    const fork = s.fork();
    expect(await fork.up(inputs({ context: { model: "n" } }))).toBe("create");
    expect(stateOf(fork).id).toBe(id);
    console.log(s.messages, fork.messages);
    await s.destroy();
    expect((await call(base, "GET", `/assistants/${id}`)).status).toBe(404);
  });
  it("strangers", async () => {
    for (const config of [{}, { ownerMarker: "false" }]) {
      const id = crypto.randomUUID();
      await call(base, "POST", "/assistants", { assistant_id: id, graph_id: "echo", name: "theirs" });
      const before = (await call(base, "GET", `/assistants/${id}`)).body;
      const s = await start(config);
      await expect(s.up(inputs({ assistantId: id }))).rejects.toThrow("already exists");
      expect((await call(base, "GET", `/assistants/${id}`)).body).toEqual(before);
    }
    const s = await start();
    await s.up(inputs());
    const { id } = stateOf(s);
    await call(base, "DELETE", `/assistants/${id}`);
    await call(base, "POST", "/assistants", { assistant_id: id, graph_id: "echo", name: "theirs" });
    const before = (await call(base, "GET", `/assistants/${id}`)).body;
    const saved = structuredClone(s.state);
    await expect(s.up(inputs({ context: {} }))).rejects.toThrow("somebody created another");
    await s.destroy();
    s.state = saved;
    expect(await s.refresh()).toBe("gone");
    expect((await call(base, "GET", `/assistants/${id}`)).body).toEqual(before);
  });
  it("recursion", async () => {
    const s = await start();
    await expect(s.up(inputs({ config: { recursion_limit: 50 } }))).rejects.toThrow("recursionLimit");
    expect(await s.up(inputs({ config: { recursionLimit: 50 } }))).toBe("create");
    expect(await s.refresh()).toBe("same");
    expect(stateOf(s).outputs.version).toBe(1);
  });
});
describe("real py crons", () => {
  const start = async () => new Stack(await startPlatform(), { kind: "Cron", name: "c" + tag(), config: { apiKey: "" } as never });
  const inputs = (change = {}) => ({ deploymentUrl: PY, assistantId: "echo", schedule: "0 3 * * *", enabled: false, input: { messages: [] }, metadata: { team: "a" }, ...change });
  it("life", async () => {
    const s = await start();
    expect(await s.up(inputs())).toBe("create");
    const { id, outputs } = stateOf(s);
    const remote = (await call(PY, "GET", `/runs/crons/${id}`)).body;
    expect(remote.metadata).toMatchObject({ pulumi_cron_id: id, team: "a" });
    console.log(remote);
    expect(outputs.cronId).toBe(id);
    expect(await s.refresh()).toBe("same");
    const sent = { ...remote.payload, config: {}, metadata: { ...remote.metadata } };
    const copy = (await call(PY, "POST", "/runs/crons", { ...sent, schedule: "30 5 * * *" })).body.cron_id;
    delete sent.metadata.pulumi_cron_id;
    const twin = (await call(PY, "POST", "/runs/crons", sent)).body.cron_id;
    expect(await s.refresh()).toBe("same");
    expect(s.messages.join()).toContain(twin);
    expect(s.messages.join()).not.toContain(copy);
    const fork = s.fork();
    await fork.up(inputs());
    expect(stateOf(fork).id).toBe(id);
    expect(await s.up(inputs({ schedule: "0 4 * * *" }))).toBe("update");
    s.messages = [];
    await s.destroy();
    expect(s.messages.join()).toContain(twin);
    const last = s.fork();
    await expect(last.up(inputs({ schedule: "0 4 * * *" }))).rejects.toThrow("not its own ID");
    await call(PY, "DELETE", `/runs/crons/${twin}`);
    await last.up(inputs());
    expect(stateOf(last).id).not.toBe(copy);
    await last.destroy();
    expect((await call(PY, "GET", `/runs/crons/${copy}`)).status).toBe(200);
  });
  it("on js says so", async () => {
    const s = await start();
    await expect(s.up(inputs({ deploymentUrl: JS }))).rejects.toThrow("does not support crons");
  });
});
