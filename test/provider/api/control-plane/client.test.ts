/** The client of the control plane: paging, and answers that are not what the interface promises. */

import { CaseMapper } from "../../../../provider/api/case-mapper";
import { ControlPlaneClient } from "../../../../provider/api/control-plane/client";
import { collectAll } from "../../../../provider/api/pagination";
import { failureOf } from "../../../support/errors";
import { openHttpClient } from "../../../support/http-client";
import { json, TestServer } from "../../../support/server";

const one = (name: string) => ({ id: `id-of-${name}`, name, status: "READY" });

async function clientOf(...answers: unknown[]): Promise<{ client: ControlPlaneClient; server: TestServer }> {
  const server = await TestServer.start(answers.map((answer) => json(200, answer)));
  const { door } = openHttpClient(server.url);
  return {
    server,
    client: new ControlPlaneClient(door, new CaseMapper({ githost: "gitplace", agentgraph: "vendorgraph" })),
  };
}

describe("a create", () => {
  it("whose answer holds no more than id and latest_revision_id is completed by a look", async () => {
    const { client, server } = await clientOf({ id: "id-of-a", latest_revision_id: "r" }, one("a"));
    expect(await client.createDeployment({ name: "a" })).toEqual(one("a"));
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /v2/deployments",
      "GET /v2/deployments/id-of-a",
    ]);
  });

  it.each([
    [{ detail: "Quota of deployments exceeded" }, "Quota of deployments exceeded"],
    [{ error: "no room" }, "no room"],
    [{ message: "no room" }, "no room"],
    [{ detail: [{ loc: ["body", "name"], msg: "too long" }] }, "name: too long"],
  ])("whose answer is %j says so in the server's words", async (answer, words) => {
    const { client } = await clientOf(answer);
    expect((await failureOf(client.createDeployment({ name: "a" }))).message).toContain(
      `the response has no ID, and says: ${words}`,
    );
  });

  it("whose answer holds no id may have been done all the same", async () => {
    const { client } = await clientOf({});
    expect(await failureOf(client.createDeployment({ name: "a" }))).toMatchObject({ outcomeUnknown: true });
  });
});

describe("the list", () => {
  /** The offsets that were asked for, when the first answer says this one. */
  async function offsetsAfter(offset: unknown) {
    const { client, server } = await clientOf(
      { resources: [one("a"), one("b")], offset },
      { resources: [], offset: 0 },
    );
    expect(await collectAll(client.listDeployments())).toEqual([one("a"), one("b")]);
    return server.requests.map(({ url }) => Number(new URL(url, server.url).searchParams.get("offset")));
  }

  // @covers 2A.DeploymentsList.offset
  it("goes on at the answer's offset, until a page is empty", async () => {
    expect(await offsetsAfter(2)).toEqual([0, 2]);
    expect(await offsetsAfter(7)).toEqual([0, 7]);
  });

  it("goes on by counting where the answer's offset did not advance, or is missing", async () => {
    for (const offset of [0, null, undefined]) expect(await offsetsAfter(offset)).toEqual([0, 2]);
  });
});

it("answers speak our words and requests the service's", async () => {
  const config = { repo_url: "https://git.example/a", install_command: null };
  const { client, server } = await clientOf({
    ...one("a"),
    source: "gitplace",
    source_config: config,
    source_revision_config: { vendorgraph_config_path: "a.json" },
  });
  const made = await client.updateDeployment("x:y", {
    source: "githost",
    sourceRevisionConfig: { agentgraphConfigPath: "b" },
  });
  expect(made).toMatchObject({ source: "githost", sourceRevisionConfig: { agentgraphConfigPath: "a.json" } });
  expect(server.requests[0]).toMatchObject({ method: "PATCH", url: "/v2/deployments/x%3Ay" });
  expect(JSON.parse(server.requests[0]?.body ?? "")).toEqual({
    source: "gitplace",
    source_revision_config: { vendorgraph_config_path: "b" },
  });
});

// @covers 2A.DeploymentsList.resources
it.each([
  ["a deployment without a status", (client: ControlPlaneClient) => client.getDeployment("d"), { id: "d", name: "n" }],
  ["a revision that is a list", (client: ControlPlaneClient) => client.getRevision("d", "r"), []],
  ["a list without resources", (client: ControlPlaneClient) => collectAll(client.listDeployments()), { items: [] }],
])("%s is an error that asks for the URL", async (_what, ask, answer) => {
  const { client } = await clientOf(answer);
  expect((await failureOf(ask(client))).message).toMatch(
    /: 200: unexpected response: .*\nIs controlPlaneUrl correct\?$/s,
  );
});
