/** `keepConversations`: what a replacement and a delete do with the conversations of a deployment. */
import { RunState } from "../../../../../provider/engine/run/run-state";
import { UNKNOWN } from "../../../../../provider/plan/property-values";
import { talk, textsOf } from "../../../../support/deployments/conversations";
import { dockerDeployment } from "../../../../support/deployments/inputs";
import { declareKept as declare, kept, startKept as start } from "../../../../support/deployments/kept";
import { failureOf } from "../../../../support/errors";
import { Stack, stateOf } from "../../../../support/stack";

const LISTENER = "22222222-2222-4222-8222-222222222222";

describe("a deployment with keepConversations", () => {
  it("keeps its conversations under a new name, which is created before the old one is deleted", async () => {
    const { platform, stack, first } = await start();
    const id = await talk(platform, first, "hello");
    await stack.diff(declare({ name: "renamed" }));
    expect(stack.messages.at(-1)).toBe(
      "info: REPLACED: name agent -> renamed; its conversations move to the new one, which is created first " +
        "(not: runs, times, IDs of checkpoints and questions)",
    );
    await platform.emulator.requestLog.clear();
    expect(await stack.up(declare({ name: "renamed" }))).toBe("replace");
    const { id: second, outputs } = stateOf(stack);
    expect(outputs.movedFrom).toEqual([first]);
    expect(outputs).not.toHaveProperty("pendingConversations");
    expect(await textsOf(platform, second)).toEqual({ [id]: ["hello", "Echo: hello"] });
    const order = platform.requests().filter((line) => /^(POST|DELETE) \/v2\/deployments/.test(line));
    expect(order).toEqual(["POST /v2/deployments", "DELETE /v2/deployments/{id}"]);
    expect((await platform.deployments()).map(({ name }) => name)).toEqual(["renamed"]);
    expect(await stack.up(declare({ name: "renamed" }))).toBe("same");
  });

  it("keeps its conversations in a bucket", async () => {
    const { platform, stack, first } = await start();
    const { url, accessKeyId, secretAccessKey } = platform.emulator.bucket;
    const names = { AWS_ENDPOINT_URL_S3: url, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
    Object.assign(process.env, names);
    try {
      const inBucket = { keepConversations: { at: "s3://exports/kept", waiting: "leave" } };
      const id = await talk(platform, first, "hello");
      await stack.up(declare(inBucket));
      expect(await stack.up(declare({ ...inBucket, sourceConfig: { listenerId: LISTENER } }))).toBe("replace");
      expect(await textsOf(platform, stateOf(stack).id)).toEqual({ [id]: ["hello", "Echo: hello"] });
      await stack.destroy();
      expect(stack.messages.at(-1)).toContain("Its conversations are in s3://exports/kept/");
      expect(await stack.up(declare(inBucket))).toBe("create");
      expect(Object.keys(await textsOf(platform, stateOf(stack).id))).toEqual([id]);
    } finally {
      for (const name of Object.keys(names)) delete process.env[name];
    }
  });

  it("is not deleted while its conversations cannot be kept", async () => {
    const { platform, stack, first } = await start();
    await talk(platform, first, "hello");
    platform.addFault({ path: "/agents/*/threads/*/history", status: 500, times: 100 });
    await expect(stack.destroy()).rejects.toThrow("was not deleted, because its conversations could not be kept: ");
    expect((await platform.deployments()).map(({ id }) => id)).toEqual([first]);
  });

  it("keeps its conversations although its server lists an expired thread for good, and waits once", async () => {
    const { platform, stack, first } = await start();
    const [id, expired] = [await talk(platform, first, "hello"), await talk(platform, first, "gone")];
    for (const path of [`/agents/*/threads/${expired}`, `/agents/*/threads/${expired}/history`])
      await platform.addFault({ path, status: 404, times: 10_000 });
    await platform.emulator.requestLog.clear();
    expect(await stack.up(declare({ name: "renamed" }))).toBe("replace");
    expect(await textsOf(platform, stateOf(stack).id)).toEqual({ [id]: ["hello", "Echo: hello"] });
    const reads = platform.requests().filter((line) => /GET .*\/threads\/\{id\}$/.test(line));
    // Three backups of two passes: four reads in the first, until it is certain, and one in the second.
    expect(reads).toHaveLength(3 * (4 + 1));
  });

  it.each([
    ["a place that cannot be written", () => ({ at: "file:///dev/null/kept" }), "is a file, not a folder"],
    ["threads that wait for an answer", () => ({ at: kept.at }), "1 thread waits for an answer"],
  ])("is neither deleted nor created twice because of %s", async (_case, keep, reason) => {
    const { platform, stack, first } = await start();
    await talk(platform, first, "hello", false);
    for (const change of [{ name: "renamed" }, { sourceConfig: { listenerId: LISTENER } }]) {
      await expect(stack.up(declare({ keepConversations: keep(), ...change }))).rejects.toThrow(reason);
      expect((await platform.deployments()).map(({ id }) => id)).toEqual([first]);
      expect(stateOf(stack).id).toBe(first);
    }
  });

  it("is not deleted when the key sees no thread, unless that is declared", async () => {
    const { platform, stack, first } = await start();
    // The second search has no key.
    await platform.addFault({ method: "POST", path: "/agents/*/threads/search", status: 401, skip: 1 });
    await expect(stack.destroy()).rejects.toThrow(
      "declare keepConversations.allowEmpty: true; a key that may see none looks the same",
    );
    const keepConversations = { at: kept.at, allowEmpty: true };
    expect(await stack.up(declare({ keepConversations }))).toBe("update");
    expect(stateOf(stack).id).toBe(first);
    await stack.destroy();
    expect(await platform.deployments()).toEqual([]);
  });

  it("has its conversations also where they are declared together with the change that replaces it", async () => {
    const { platform, stack, first } = await start(dockerDeployment());
    const id = await talk(platform, first, "hello");
    expect(await stack.up(declare({ sourceConfig: { listenerId: LISTENER } }))).toBe("replace");
    expect(Object.keys(await textsOf(platform, stateOf(stack).id))).toEqual([id]);
  });

  it("gets what users said to the old one while the new one was created", async () => {
    const { platform, stack, first } = await start();
    const id = await talk(platform, first, "hello");
    let late = "";
    platform.duringNextWait(async () => {
      late = await talk(platform, first, "late");
    });
    await stack.up(declare({ name: "renamed" }));
    expect(Object.keys(await textsOf(platform, stateOf(stack).id)).sort()).toEqual([id, late].sort());
  });

  it("leaves its conversations in the backup once it is no longer declared", async () => {
    const { platform, stack, first } = await start();
    await talk(platform, first, "hello");
    await platform.addFault({ method: "POST", path: "/agents/*/threads", status: 400 });
    await expect(stack.up(declare({ sourceConfig: { listenerId: LISTENER } }))).rejects.toThrow(
      `does not have all conversations of ${first} ("agent") yet`,
    );
    const { keepConversations: _, ...without } = declare({ sourceConfig: { listenerId: LISTENER } });
    expect(await stack.up(without)).toBe("update");
    expect(stack.messages.at(-1)).toContain("were not restored, since keepConversations is no longer declared");
    expect(stateOf(stack).outputs).not.toHaveProperty("pendingConversations");
    expect(await textsOf(platform, stateOf(stack).id)).toEqual({});
  });

  it("has its conversations after its name is changed back, when the new one did not become live", async () => {
    const { platform, stack, first } = await start();
    const id = await talk(platform, first, "hello");
    await platform.advance(3 * 3_600_000);
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await failureOf(stack.up(declare({ name: "renamed" })));
    expect(stateOf(stack).id).not.toBe(first);
    expect(await stack.up(declare())).toBe("replace");
    expect(stateOf(stack).id).toBe(first);
    expect((await platform.deployments()).map(({ name }) => name)).toEqual(["agent"]);
    expect(Object.keys(await textsOf(platform, first))).toEqual([id]);
    expect(await stack.up(declare())).toBe("same");
  });

  it("passes its conversations on to a third one, when the second one did not receive them", async () => {
    const { platform, stack, first } = await start();
    const id = await talk(platform, first, "hello");
    await platform.addFault({ method: "POST", path: "/agents/*/threads", status: 400 });
    await failureOf(stack.up(declare({ name: "second" })));
    const late = await talk(platform, first, "late");
    expect(await stack.up(declare({ name: "third" }))).toBe("replace");
    expect(stateOf(stack).outputs.movedFrom).toEqual([first]);
    expect((await platform.deployments()).map(({ name }) => name)).toEqual(["third"]);
    expect(Object.keys(await textsOf(platform, stateOf(stack).id)).sort()).toEqual([id, late].sort());
  });

  it("moves with what the program declares on it", async () => {
    const { platform, stack, first } = await start();
    const run = new RunState();
    const thread = new Stack(platform, { kind: "Thread", name: "thread" });
    const inputs = { metadata: { graph_id: "echo" }, ttl: { ttl: 60 } };
    await thread.up({ deploymentId: first, ...inputs }, thread.host({}, run));
    const id = stateOf(thread).id;
    await platform.call("POST", `/agents/${first}/threads/${id}/state`, {
      values: { messages: [{ type: "human", content: "hello", id: "1" }] },
      as_node: "__start__",
    });
    const next = new RunState();
    await stack.diff(declare({ name: "renamed" }), stack.host({}, next));
    await thread.diff({ deploymentId: UNKNOWN, ...inputs }, thread.host({}, next));
    expect(thread.messages.at(-1)).toBe(
      "info: changes nothing on the server: deploymentId (if it is that of the new deployment); it moves with " +
        "its deployment, and keeps its ID",
    );
    await stack.up(declare({ name: "renamed" }), stack.host({}, next));
    const second = stateOf(stack).id;
    const declared = { deploymentId: second, ...inputs };
    expect(await thread.up(declared, thread.host({}, next))).toBe("update");
    expect(stateOf(thread)).toMatchObject({ id, outputs: { deploymentId: second } });
    expect(Object.keys(await textsOf(platform, second))).toEqual([id]);
    expect(await thread.up(declared)).toBe("same");
    const path = `/agents/${second}/threads/${id}?include=ttl`;
    expect((await platform.call("GET", path)).body).toMatchObject({ ttl: { ttl_minutes: 60 } });
  });
});
