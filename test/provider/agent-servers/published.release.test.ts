/**
 * What only published agent servers show, through both hosts. The tests of threads, assistants and crons run on them,
 * too.
 */
import { randomUUID } from "node:crypto";
import { realClock } from "../../../provider/http/clock";
import type { PropertyMap } from "../../../provider/schema/schema";
import { type PublishedServer, SERVERS, startPublished } from "../../support/agent-servers/published";
import { failureOf } from "../../support/errors";
import type { HostName } from "../../support/hosts/resource-host";
import { expectClean, Stack } from "../../support/stack";

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
  describe.each(["dynamic", "plugin"] as const)("by the host %s,", (host) => {
    it("a thread converges whose metadata has a key that the server may keep to itself", async () => {
      const stack = stackOf("Thread", host);
      const metadata = {
        ...{ graph_id: "echo", assistant_id: randomUUID(), cron_id: "x", team: "a" },
        ...{ counters_since_delta_snapshot: { messages: [1, 1] }, nul: "a\0", escaped: "\\u0000" },
      };
      const { id } = await stack.stateAfter(thread({ metadata }));
      await expectClean(stack, thread({ metadata }));
      const changed = thread({ metadata: { ...metadata, team: "b" } });
      expect(await stack.up(changed)).toBe("update");
      expect((await server.call("GET", `/threads/${id}`)).body.metadata).toMatchObject({ team: "b" });
      await expectClean(stack, changed);
      const run = { assistant_id: "counter", input: { count: 0, steps: 1 } };
      expect((await server.call("POST", `/threads/${id}/runs/wait`, run)).status).toBe(200);
      expect((await server.call("GET", `/threads/${id}`)).body.metadata).toMatchObject({ graph_id: "counter" });
      await expectClean(stack, changed);
      await stack.destroy();
      expect((await server.call("GET", `/threads/${id}`)).status).toBe(404);
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
      await expectClean(stack, inputs);
      await stack.destroy();
    });

    const assistant = (change: PropertyMap = {}) => ({
      deploymentUrl: server.url,
      graphId: "echo",
      name: "support",
      context: { prefix: "small" },
      ...change,
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
      await expectClean(stack, inputs);
      await stack.destroy();
    });

    if (kind === "javascript")
      it("a cron fails with the reason that the server has no crons", async () => {
        const error = await failureOf(
          stackOf("Cron", host).up({
            deploymentUrl: server.url,
            assistantId: "echo",
            schedule: "0 3 * * *",
            input: {},
          }),
        );
        expect(error.message).toMatch(/does not support crons|no crons|has no routes/i);
      });
  });
});
