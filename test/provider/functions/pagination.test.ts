/** Functions that list, against servers whose pages are shorter than what was asked for. */
import { failureOf } from "../../support/errors";
import { program } from "../../support/functions";
import { startPagingProxy } from "../../support/paging-proxy";
import { startPlatform } from "../../support/platform";
import { startAgents } from "../../support/threads";

const MAX_PAGE_SIZE = 7;
const numbered = (count: number, name = "agent") => Array.from({ length: count }, (_, number) => `${name}-${number}`);

/** A workspace of so many deployments behind a server whose pages hold seven. */
async function startWith(count: number) {
  const platform = await startPlatform();
  const names = numbered(count);
  const { deployments: ids = [] } = await platform.emulator.seed({ deployments: names.map((name) => ({ name })) });
  const look = program(await startPagingProxy(platform, { maxPageSize: MAX_PAGE_SIZE }));
  return { platform, names, ids, look };
}

describe("a server whose pages hold seven", () => {
  it("shows getDeployments all 45 deployments", async () => {
    const { ids, look } = await startWith(45);
    const found = await look("getDeployments");
    expect(found.map(({ id }: { id: string }) => id).sort()).toEqual(ids.toSorted());
    expect(await look("getDeployments", { deploymentIds: ids })).toHaveLength(45);
  });

  it("shows getDeployment each of 45 by its name or ID, whether one or many are asked for", async () => {
    const { names, ids, look } = await startWith(45);
    const found = await Promise.all(names.map((name) => look("getDeployment", { name })));
    expect(found.map(({ id }) => id)).toEqual(ids);
    // The oldest, whose name is a part of others.
    expect(await look("getDeployment", { name: "agent-1" })).toMatchObject({ id: ids[1] });
    expect(await Promise.all(ids.map((id) => look("getDeployment", { id })))).toHaveLength(45);
  });

  it("shows getProject each of 45 by its name", async () => {
    const { names, look } = await startWith(45);
    const found = await Promise.all(names.map((name) => look("getProject", { name })));
    expect(found.map(({ name }) => name)).toEqual(names);
  });

  it("shows getListeners all, and getListener the last", async () => {
    const { platform, look } = await startWith(0);
    await platform.emulator.seed({ listeners: numbered(20, "cluster").map((compute_id) => ({ compute_id })) });
    expect(await look("getListeners")).toHaveLength(21);
    for (const computeId of ["cluster-0", "cluster-19"])
      expect(await look("getListener", { computeId })).toMatchObject({ computeId });
  });

  it("shows getRevisions all revisions of a deployment", async () => {
    const { platform, ids, look } = await startWith(1);
    for (let n = 0; n < 20; n++) {
      const body = { source_revision_config: { image_uri: `registry.example.com/agent:${n}` } };
      await platform.call("PATCH", `/v2/deployments/${ids[0]}`, body);
    }
    const all = await look("getRevisions", { deploymentId: ids[0] });
    expect(new Set(all.map(({ id }: { id: string }) => id)).size).toBe(21);
  });

  it("shows getThreads and getThreadHistory all, or as many as are asked for", async () => {
    const agents = await startAgents();
    const updates = (n: number) => ({
      updates: [{ values: { messages: [{ role: "user", content: `${n}` }] }, as_node: "echo" }],
    });
    const supersteps = Array.from({ length: 20 }, (_, n) => updates(n));
    const { body: thread } = await agents.callAgentServer("POST", "/threads", {
      metadata: { graph_id: "echo" },
      supersteps,
    });
    for (let n = 0; n < 24; n++) await agents.callAgentServer("POST", "/threads", {});
    const proxy = await startPagingProxy(agents, { maxPageSize: MAX_PAGE_SIZE });
    const look = program(proxy);
    const deploymentUrl = proxy.url + agents.basePath;
    expect(await look("getThreads", { deploymentUrl })).toHaveLength(25);
    expect(await look("getThreads", { deploymentUrl, limit: 10 })).toHaveLength(10);
    const where = { deploymentUrl, threadId: thread.thread_id };
    expect(await look("getThreadHistory", where)).toHaveLength(20);
    expect(await look("getThreadHistory", { ...where, limit: 8 })).toHaveLength(8);
  });
});

describe("a server that ignores the offset", () => {
  it("shows all where its one page is not full, and is told apart where it is", async () => {
    const platform = await startPlatform();
    const seed = (names: string[]) => platform.emulator.seed({ deployments: names.map((name) => ({ name })) });
    await seed(numbered(99));
    const look = program(await startPagingProxy(platform, { ignoresOffset: true }));
    expect(await look("getDeployments")).toHaveLength(99);
    await seed(["one-more"]);
    const { message } = await failureOf(look("getDeployments"));
    expect(message).toBe(
      "Could not list all deployments: after 100 of them the server returned the first page again. Does it support paging?",
    );
    expect(await look("getDeployment", { name: "agent-50" })).toMatchObject({ name: "agent-50" });
  });

  it("lets getThreads say how many it shows", async () => {
    const agents = await startAgents();
    for (let n = 0; n < 7; n++) await agents.callAgentServer("POST", "/threads", {});
    const proxy = await startPagingProxy(agents, { ignoresOffset: true });
    expect(await program(proxy)("getThreads", { deploymentUrl: proxy.url + agents.basePath })).toHaveLength(7);
  });
});
