/** The client of the control plane: paging, and responses that the interface does not specify. */
import { ControlPlaneClient } from "../../../../provider/api/control-plane/client";
import { collectAll, IncompleteListError } from "../../../../provider/api/pagination";
import { failureOf } from "../../../support/errors";
import { openJsonClient } from "../../../support/servers/http-client";
import { json, TestServer } from "../../../support/servers/server";
import { TestClock } from "../../../support/time/clock";

const one = (name: string) => ({ id: `id-of-${name}`, name, status: "READY" });

async function startClient(...bodies: unknown[]): Promise<{ client: ControlPlaneClient; server: TestServer }> {
  const server = await TestServer.start(bodies.map((body) => json(200, body)));
  const { jsonClient } = openJsonClient(server.url, {
    hint: "Is controlPlaneUrl correct?",
    vocabulary: { githost: "gitplace", agentgraph: "vendorgraph" },
  });
  return { server, client: new ControlPlaneClient(jsonClient, new TestClock()) };
}

describe("A create", () => {
  it("whose response has only `id` and `latest_revision_id` returns them, and leaves the read to others", async () => {
    const { client, server } = await startClient({ id: "id-of-a", latest_revision_id: "r" });
    expect(await client.createDeployment({ name: "a" })).toMatchObject({
      deployment: { id: "id-of-a", name: "a", status: "UNKNOWN", latestRevisionId: "r" },
      isComplete: false,
    });
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(["POST /v2/deployments"]);
  });

  it("whose response has no ID fails with the server's message, and has an unknown outcome", async () => {
    const { client } = await startClient({ detail: "Quota of deployments exceeded" });
    const message = expect.stringContaining("the response has no ID, and says: Quota of deployments exceeded");
    expect(await failureOf(client.createDeployment({ name: "a" }))).toMatchObject({ message, outcomeUnknown: true });
  });
});

describe("The list of deployments", () => {
  // @covers 2A.Deployment.name:null
  it("contains those without a name or a status, which no server promises to have", async () => {
    const { client } = await startClient(
      { resources: [{ ...one("a"), name: null, agent: { id: "x" } }, { id: "b", status: null }, one("c")], offset: 3 },
      { resources: [], offset: 0 },
    );
    expect(await collectAll(client.listDeployments())).toMatchObject([
      { ...one("a"), name: "", agent: undefined },
      { id: "b", name: "", status: "UNKNOWN" },
      one("c"),
    ]);
  });

  it.each([
    ["a field", { agent: "checkout" }],
    ["an item of a list", { secrets: [{ value: "no name" }] }],
    ["its name", { name: { first: "a" } }],
    ["its status", { status: [] }],
  ])("can be used although %s of one deployment has a form that is not known", async (_what, field) => {
    const { client } = await startClient({ resources: [{ ...one("a"), ...field }, one("c")] }, { resources: [] });
    const [odd, other] = await collectAll(client.listDeployments());
    expect(odd).toMatchObject({
      id: "id-of-a",
      unreadable: {
        message: expect.stringMatching(/unexpected response: .*\nIt is about the deployment with ID id-of-a/),
      },
    });
    expect(other).toMatchObject(one("c"));
  });

  it.each([
    ["that is cut off", Array.from({ length: 100 }, (_, index) => one(String(index)))],
    ["that ignores filter, limit and offset", Array.from({ length: 20 }, (_, index) => one(String(index)))],
  ])("%s proves the presence of a deployment, and never its absence", async (_what, resources) => {
    const { client } = await startClient({ resources }, { resources }, { resources }, { resources });
    expect(await client.listExistingIds(["id-of-3"])).toContain("id-of-3");
    expect(await failureOf(client.listExistingIds(["id-of-3", "id-of-x"]))).toBeInstanceOf(IncompleteListError);
  });

  it("that has its filter and no pages proves that a deployment is absent", async () => {
    const { client } = await startClient({ resources: [one("a")] }, { resources: [one("a")] });
    expect(await client.listExistingIds(["id-of-a", "id-of-x"])).toEqual(new Set(["id-of-a"]));
  });

  it("does not count as existing what is being deleted, under any of its statuses", async () => {
    const statuses = ["AWAITING_DELETE", "AWAITING_FINAL_DELETE", "DELETING"];
    const resources = statuses.map((status) => ({ ...one(status), status }));
    const { client } = await startClient({ resources }, { resources: [] });
    expect(await client.listExistingIds(resources.map(({ id }) => id))).toEqual(new Set());
  });

  /** Returns the offsets of the requests when the first response contains this offset. */
  async function offsetsAfter(offset: unknown) {
    const page = { resources: [one("a"), one("b")], offset };
    const { client, server } = await startClient(page, { resources: [], offset: 0 });
    expect(await collectAll(client.listDeployments())).toMatchObject([one("a"), one("b")]);
    return server.requests.map(({ url }) => Number(new URL(url, server.url).searchParams.get("offset")));
  }

  // @covers 2A.DeploymentsList.offset, 2A.DeploymentsList.resources
  it("continues at the offset of the response, until a page is empty", async () => {
    expect(await offsetsAfter(2)).toEqual([0, 2]);
    expect(await offsetsAfter(7)).toEqual([0, 7]);
  });

  it("continues by counting where the offset of the response did not advance, or is missing", async () => {
    for (const offset of [0, null, undefined]) expect(await offsetsAfter(offset)).toEqual([0, 2]);
  });
});

it("ControlPlaneClient takes a revision whose status is null for one that is still in progress", async () => {
  const { client } = await startClient({ id: "r", status: null });
  expect(await client.getRevision("d", "r")).toMatchObject({ id: "r", status: "UNKNOWN" });
});
