/** Threads, assistants and crons on the published agent servers, through both hosts. */
import { randomUUID } from "node:crypto";
import { realClock } from "../../../provider/http/clock";
import type { PropertyMap } from "../../../provider/schema/schema";
import { failureOf } from "../../support/errors";
import { type PublishedServer, SERVERS, startPublished } from "../../support/servers/published";
import { type HostName, Stack, stateOf } from "../../support/stack";

const say = (content: string) => ({ updates: [{ values: { messages: [{ role: "user", content }] }, asNode: "echo" }] });

describe.each(SERVERS)("On the published agent server in %s,", (kind) => {
  let server: PublishedServer;
  beforeAll(async () => {
    server = await startPublished(kind);
  }, 600_000);
  afterAll(() => server.stop());

  const stackOf = (resource: string, host: HostName, name = randomUUID()) =>
    new Stack({ clock: realClock, url: server.url }, { kind: resource, name, host });
  const thread = (change: PropertyMap = {}) => ({
    deploymentUrl: server.url,
    metadata: { graph_id: "echo", team: "support" },
    ...change,
  });
  const historyOf = async (id: string) =>
    (await server.call<PropertyMap[]>("POST", `/threads/${id}/history`, { limit: 100 })).body.length;
  const expectConverged = async (stack: Stack, inputs: PropertyMap) => {
    expect(await stack.refresh()).toBe("same");
    expect(await stack.up(inputs)).toBe("same");
  };

  describe.each(["dynamic", "plugin"] as const)("by the host %s,", (host) => {
    it("a thread is created once, changed in place, found unchanged and deleted", async () => {
      const stack = stackOf("Thread", host);
      const inputs = thread({ supersteps: [say("Hello"), say("Again")] });
      expect(await stack.up(inputs)).toBe("create");
      const { id } = stateOf(stack);
      const checkpoints = await historyOf(id);
      await expectConverged(stack, inputs);
      const changed = { ...inputs, metadata: { graph_id: "echo", team: "sales" } };
      expect(await stack.up(changed)).toBe("update");
      await expectConverged(stack, changed);
      expect((await server.call("GET", `/threads/${id}`)).body.metadata).toMatchObject({ team: "sales" });
      expect(await historyOf(id)).toBe(checkpoints);
      await stack.destroy();
      expect((await server.call("GET", `/threads/${id}`)).status).toBe(404);
    });

    it("a thread converges whose metadata has a key that the server may keep to itself", async () => {
      const stack = stackOf("Thread", host);
      const metadata = {
        ...{ graph_id: "echo", assistant_id: randomUUID(), cron_id: "x", team: "a" },
        ...{ counters_since_delta_snapshot: { messages: [1, 1] }, nul: "a\0", escaped: "\\u0000" },
      };
      await stack.up(thread({ metadata }));
      const { id } = stateOf(stack);
      await expectConverged(stack, thread({ metadata }));
      const changed = thread({ metadata: { ...metadata, team: "b" } });
      expect(await stack.up(changed)).toBe("update");
      expect((await server.call("GET", `/threads/${id}`)).body.metadata).toMatchObject({ team: "b" });
      await expectConverged(stack, changed);
      const run = { assistant_id: "counter", input: { count: 0, steps: 1 } };
      expect((await server.call("POST", `/threads/${id}/runs/wait`, run)).status).toBe(200);
      expect((await server.call("GET", `/threads/${id}`)).body.metadata).toMatchObject({ graph_id: "counter" });
      await expectConverged(stack, changed);
      await stack.destroy();
      expect((await server.call("GET", `/threads/${id}`)).status).toBe(404);
    });

    it.each([
      ["with a graph", { graph_id: "echo", customer: "ada" }],
      ["without a graph", { customer: "ada" }],
    ])("a thread of someone else %s, whose ID is declared, is refused and stays as it was", async (_case, metadata) => {
      const threadId = randomUUID();
      await server.call("POST", "/threads", { thread_id: threadId, metadata });
      const before = await historyOf(threadId);
      const error = await failureOf(stackOf("Thread", host).up(thread({ threadId, supersteps: [say("mine")] })));
      expect(error.message).toContain("No changes were made");
      expect((await server.call("GET", `/threads/${threadId}`)).body.metadata).toEqual(metadata);
      expect(await historyOf(threadId)).toBe(before);
    });

    it("a thread that state lost is resumed, and its history is not duplicated", async () => {
      const stack = stackOf("Thread", host);
      const inputs = thread({ threadId: randomUUID(), supersteps: [say("Hello")] });
      await stack.up(inputs);
      const { id } = stateOf(stack);
      const checkpoints = await historyOf(id);
      const again = stack.fork();
      expect(await again.up(inputs)).toBe("create");
      expect(stateOf(again).id).toBe(id);
      expect(await historyOf(id)).toBe(checkpoints);
      await again.destroy();
    });

    it.each([
      ["node", { supersteps: [{ updates: [{ values: {}, asNode: "nope" }] }] }],
      ["graph", { metadata: { graph_id: "nosuch" }, supersteps: [say("Hello")] }],
    ])("a thread with an unknown %s is not left behind, and the corrected program works", async (_what, wrong) => {
      const stack = stackOf("Thread", host);
      const threadId = randomUUID();
      await failureOf(stack.up(thread({ threadId, ...wrong })));
      if (!stack.state) expect((await server.call("GET", `/threads/${threadId}`)).status).toBe(404);
      const inputs = thread({ threadId, supersteps: [say("Hello")] });
      await stack.up(inputs);
      await expectConverged(stack, inputs);
      await stack.destroy();
    });

    it("the TTL of a thread is set, changed and removed without a failure at each up", async () => {
      const stack = stackOf("Thread", host);
      await stack.up(thread({ ttl: { ttl: 60 } }));
      await stack.up(thread({ ttl: { ttl: 30 } }));
      await expectConverged(stack, thread({ ttl: { ttl: 30 } }));
      await stack.up(thread());
      await expectConverged(stack, thread());
      await stack.destroy();
    });

    const assistant = (change: PropertyMap = {}) => ({
      deploymentUrl: server.url,
      graphId: "echo",
      name: "support",
      context: { prefix: "small" },
      ...change,
    });

    it("an assistant has one version for each change, none for an up without one, and is deleted", async () => {
      const stack = stackOf("Assistant", host);
      const inputs = assistant({ config: { tags: ["a"], recursionLimit: 50 } });
      expect(await stack.up(inputs)).toBe("create");
      const { id } = stateOf(stack);
      const version = async () => (await server.call("GET", `/assistants/${id}`)).body.version;
      expect(await version()).toBe(1);
      await expectConverged(stack, inputs);
      const changed = { ...inputs, context: { prefix: "large" } };
      expect(await stack.up(changed)).toBe("update");
      await expectConverged(stack, changed);
      expect(await version()).toBe(2);
      await stack.destroy();
      expect((await server.call("GET", `/assistants/${id}`)).status).toBe(404);
    });

    it("an assistant converges whose texts contain NUL characters", async () => {
      const stack = stackOf("Assistant", host);
      const inputs = assistant({
        name: "n\0",
        description: "d\0",
        context: { text: "c\0" },
        config: { tags: ["t\0"] },
      });
      expect(await stack.up(inputs)).toBe("create");
      await expectConverged(stack, inputs);
      await stack.destroy();
    });

    it("an assistant of someone else, whose ID is declared, is refused and stays as it was", async () => {
      const assistantId = randomUUID();
      const { body } = await server.call("POST", "/assistants", {
        assistant_id: assistantId,
        graph_id: "echo",
        name: "x",
      });
      const error = await failureOf(stackOf("Assistant", host).up(assistant({ assistantId })));
      expect(error.message).toContain("No changes were made");
      expect((await server.call("GET", `/assistants/${assistantId}`)).body).toEqual(body);
    });

    it("the spelling of the API in the configuration of an assistant is refused", async () => {
      const error = await failureOf(stackOf("Assistant", host).up(assistant({ config: { recursion_limit: 5 } })));
      expect(error.message).toContain("recursionLimit");
    });

    const cron = (change: PropertyMap = {}) => ({
      deploymentUrl: server.url,
      assistantId: "echo",
      schedule: "0 3 * * *",
      input: { messages: [{ role: "user", content: "report" }] },
      ...change,
    });

    if (kind === "javascript")
      it("a cron fails with the reason that the server has no crons", async () => {
        const error = await failureOf(stackOf("Cron", host).up(cron()));
        expect(error.message).toMatch(/does not support crons|no crons|has no routes/i);
      });
    else
      it("a cron is created once, changed in place, found unchanged and deleted, and one of others is not", async () => {
        const [stack, name] = [stackOf("Cron", host), "theirs"];
        const other = { assistant_id: "echo", schedule: "5 5 * * *", metadata: { name }, input: { messages: [] } };
        const { body: theirs } = await server.call("POST", "/runs/crons", other);
        expect(await stack.up(cron())).toBe("create");
        const { id } = stateOf(stack);
        await expectConverged(stack, cron());
        const changed = cron({ schedule: "0 4 * * *", timezone: "Europe/Berlin" });
        expect(await stack.up(changed)).toBe("update");
        await expectConverged(stack, changed);
        await stack.destroy();
        expect((await server.call("GET", `/runs/crons/${id}`)).status).toBe(404);
        expect((await server.call("GET", `/runs/crons/${theirs.cron_id}`)).body.schedule).toBe("5 5 * * *");
      });
  });
});
