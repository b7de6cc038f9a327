/**
 * What belongs to others is neither changed nor deleted: each path of docs/internal/ownership.md for threads, with a
 * stranger's object.
 */
import { createThread, listThreadIds, startThread, superstep } from "../../../support/agents/threads";
import { failureOf } from "../../../support/errors";
import { dynamicHostOnly, type Stack, stateOf } from "../../../support/stack";

const threadId = "0b8f4d7e-6a0f-4c53-9d52-3a5c1f7e2b11";
const config = { ownerMarker: "false" };

it("without markers, a thread that a rejected create may have left is named and not deleted", async () => {
  const { agents, stack } = await startThread({ stack: { config } });
  const wrong = agents.threadInputs({ threadId, supersteps: [superstep({ messages: [] }, "ecko")] });
  const { message } = await failureOf(stack.up(wrong));
  expect(message).toContain("POST /threads: 400: Node ecko does not exist");
  expect(message).toContain(`Thread ${threadId} exists at ${agents.url}${agents.basePath} since then`);
  expect(await listThreadIds(agents)).toEqual([threadId]);
});

describe("A destroy of a Thread", () => {
  dynamicHostOnly(it)("deletes one that it imported from another stack, of which the import warned", async () => {
    const { agents, id } = await createThread();
    const stack = agents.stack({ stack: "prod" });
    const imported = agents.threadInputs({ threadId: id });
    await stack.up(imported, stack.host(), { __import: id });
    expect(stack.messages.join()).toContain("is already managed by another stack");
    await stack.destroy();
    expect(await listThreadIds(agents)).toEqual([]);
  });
});

describe("A refresh of a Thread", () => {
  it("says how to leave a thread that the server denies, but lists, as one whose time to live has passed", async () => {
    const { agents, stack } = await createThread();
    await agents.addFault({
      ...{ method: "GET", path: `${agents.basePath}/threads/*`, status: 404, body: { detail: "no" }, times: 20 },
    });
    await expect(stack.refresh()).rejects.toThrow(
      "a replica of the server is faulty, or the object has expired; ask its operators. To remove it from " +
        "state only, run:  pulumi state delete <URN>",
    );
  });

  it("keeps a thread that the server denies twice, if no complete list shows its absence", async () => {
    const { agents, stack, id } = await createThread();
    const fault = (method: string, path: string, times: number) =>
      agents.addFault({ method, path: agents.basePath + path, status: 404, body: { detail: "no" }, times });
    await agents.advance(60_000);
    for (let n = 0; n < 1050; n += 50)
      await Promise.all(Array.from({ length: 50 }, () => agents.callAgentServer("POST", "/threads", {})));
    await fault("GET", "/threads/*", 2);
    await agents.addFault({
      ...{ method: "POST", path: `${agents.basePath}/threads/search`, status: 422, body: { detail: "no list of IDs" } },
    });
    expect(await refreshed(stack)).toBe("same");
    expect(stateOf(stack).id).toBe(id);
  });
});

/** The contradiction of a server is an error, and the next refresh finds the thread. */
async function refreshed(stack: Stack) {
  return stack.refresh().catch(() => stack.refresh());
}
