/** Creates that are rejected because of their integration or listener: the error lists those that exist. */

import { dockerDeployment } from "../../../support/deployments/inputs";
import { failureOf, withoutRequestId } from "../../../support/errors";
import { startPlatform } from "../../../support/platform";
import { Stack } from "../../../support/stack";

const ID = "00000000-0000-4000-8000-000000000001";
const OTHER = "00000000-0000-4000-8000-000000000002";
const githost = {
  source: "githost",
  name: "agent",
  sourceConfig: { integrationId: ID, repoUrl: "https://git.example.com/acme/agent" },
  sourceRevisionConfig: { agentgraphConfigPath: "graph.json" },
};

test("an unknown integration fails the create with the integrations of the workspace", async () => {
  const platform = await startPlatform();
  await platform.emulator.seed({ integrations: [{ id: OTHER, installation_id: 7, name: "acme" }] });
  await expect(new Stack(platform).up(githost)).rejects.toThrow(
    /integration 0{8}.* does not exist.*\nThe integrations of this workspace:\n(.*\n)* {2}0{8}-.*2 {2}acme/,
  );
  expect(platform.requests().slice(-2)).toEqual(["POST /v2/deployments", "GET /v1/integrations/githost/install"]);
});

test("an unknown listener fails the create with the listeners of the workspace", async () => {
  const platform = await startPlatform();
  const { message } = await failureOf(new Stack(platform).up(dockerDeployment({ sourceConfig: { listenerId: ID } })));
  expect(message).toMatch(/listener 0{8}.* does not exist.*\nThe listeners of this workspace:\n {2}[0-9a-f-]{36}/);
});

test("the error lists ten of many integrations, and says what to do when there is none", async () => {
  const platform = await startPlatform();
  const many = Array.from({ length: 11 }, (_, index) => ({
    ...{ id: OTHER.replace("2", (index + 1).toString(16)), installation_id: index, name: index === 0 ? null : "acme" },
  }));
  const expected = many.slice(0, 10).map(({ id, name }) => (name ? `  ${id}  ${name}` : `  ${id}`));
  for (const [count, more] of [
    [11, ["  and 1 more"]],
    [10, []],
  ] as const) {
    const body = many.slice(0, count);
    await platform.emulator.faults.add({ method: "GET", path: "/v1/integrations/*/install", status: 200, body });
    const { message } = await failureOf(new Stack(platform).up(githost));
    const [, list = ""] = message.split("The integrations of this workspace:\n");
    expect(withoutRequestId(list).split("\n")).toEqual([...expected, ...more, "Nothing was created."]);
  }
  await platform.emulator.faults.add({
    ...{ method: "GET", path: "/v1/integrations/*/install", status: 200, body: [] },
  });
  expect((await failureOf(new Stack(platform).up(githost))).message).toMatch(
    /\nThis workspace has no integrations\. Connect the git host to this workspace first\.\n {2}request ID/,
  );
});

test("the error contains only the server's message when the list cannot be read", async () => {
  const platform = await startPlatform();
  await platform.emulator.faults.add({ method: "GET", path: "/v1/integrations/*/install", status: 403, body: {} });
  const { message } = await failureOf(new Stack(platform).up(githost));
  expect(message).toMatch(/integration \S+ does not exist/);
  expect(message).not.toContain("of this workspace:");
});

test("the error lists the first page of many listeners", async () => {
  const platform = await startPlatform();
  const resources = Array.from({ length: 100 }, (_, index) => ({ id: `listener-${index}`, compute_id: "east" }));
  const body = { resources, offset: 0 };
  await platform.emulator.faults.add({ method: "GET", path: "/v2/listeners", status: 200, body, times: 9 });
  const { message } = await failureOf(new Stack(platform).up(dockerDeployment({ sourceConfig: { listenerId: ID } })));
  expect(message).toContain("\n  listener-0  east\n");
  expect(platform.requests({ path: "/v2/listeners" })).toHaveLength(1);
});

test.each([
  [422, "name: not a valid name"],
  [403, "the plan does not include this integration"],
])("a rejection for another reason (%i: %s) sends no further request", async (status, detail) => {
  const platform = await startPlatform();
  await platform.emulator.faults.add({ method: "POST", path: "/v2/deployments", status, body: { detail } });
  await expect(new Stack(platform).up(githost)).rejects.toThrow(detail);
  expect(platform.requests().at(-1)).toBe("POST /v2/deployments");
});
