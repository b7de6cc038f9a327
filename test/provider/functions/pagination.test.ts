/** Functions that list objects, against servers whose pages are shorter than requested. */
import { program } from "../../support/functions";
import { startPlatform } from "../../support/platform";
import { startPagingProxy } from "../../support/servers/paging-proxy";
import { startAgents } from "../../support/threads";

const MAX_PAGE_SIZE = 7;
const numbered = (count: number, name = "agent") => Array.from({ length: count }, (_, number) => `${name}-${number}`);

/** A workspace with deployments, behind a server with at most seven items per page. */
async function startWith(count: number) {
  const platform = await startPlatform();
  const names = numbered(count);
  const { deployments: ids = [] } = await platform.emulator.seed({ deployments: names.map((name) => ({ name })) });
  const call = program(await startPagingProxy(platform, { maxPageSize: MAX_PAGE_SIZE }));
  return { platform, names, ids, call };
}

describe("With a server that returns at most seven items per page,", () => {
  it("getDeployments returns all 45 deployments", async () => {
    const { ids, call } = await startWith(45);
    const result = await call("getDeployments");
    expect(result.map(({ id }: { id: string }) => id).sort()).toEqual(ids.toSorted());
    expect(await call("getDeployments", { deploymentIds: ids })).toHaveLength(45);
  });

  it("getDeployment finds each of 45 by its name or ID, in single and in concurrent calls", async () => {
    const { names, ids, call } = await startWith(45);
    const result = await Promise.all(names.map((name) => call("getDeployment", { name })));
    expect(result.map(({ id }) => id)).toEqual(ids);
    // The oldest; other names contain its name.
    expect(await call("getDeployment", { name: "agent-1" })).toMatchObject({ id: ids[1] });
    expect(await Promise.all(ids.map((id) => call("getDeployment", { id })))).toHaveLength(45);
  });

  it("getProject finds each of 45 by its name", async () => {
    const { names, call } = await startWith(45);
    const result = await Promise.all(names.map((name) => call("getProject", { name })));
    expect(result.map(({ name }) => name)).toEqual(names);
  });

  it("getListeners returns all, and getListener finds the last", async () => {
    const { platform, call } = await startWith(0);
    await platform.emulator.seed({ listeners: numbered(20, "cluster").map((compute_id) => ({ compute_id })) });
    expect(await call("getListeners")).toHaveLength(21);
    for (const computeId of ["cluster-0", "cluster-19"])
      expect(await call("getListener", { computeId })).toMatchObject({ computeId });
  });

  it("getRevisions returns all revisions of a deployment", async () => {
    const { platform, ids, call } = await startWith(1);
    for (let n = 0; n < 20; n++) {
      const body = { source_revision_config: { image_uri: `registry.example.com/agent:${n}` } };
      await platform.call("PATCH", `/v2/deployments/${ids[0]}`, body);
    }
    const all = await call("getRevisions", { deploymentId: ids[0] });
    expect(new Set(all.map(({ id }: { id: string }) => id)).size).toBe(21);
  });

  it("getThreads and getThreadHistory return all, or as many as the limit", async () => {
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
    const call = program(proxy);
    const deploymentUrl = proxy.url + agents.basePath;
    expect(await call("getThreads", { deploymentUrl })).toHaveLength(25);
    expect(await call("getThreads", { deploymentUrl, limit: 10 })).toHaveLength(10);
    const args = { deploymentUrl, threadId: thread.thread_id };
    expect(await call("getThreadHistory", args)).toHaveLength(20);
    expect(await call("getThreadHistory", { ...args, limit: 8 })).toHaveLength(8);
  });
});
