/** Creates that are rejected because of their integration or listener: the error lists those that exist. */

import { dockerDeployment } from "../../../../support/deployments";
import { failureOf } from "../../../../support/errors";
import { startPlatform } from "../../../../support/platform";
import { Stack } from "../../../../support/stack";

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
  const { message } = await failureOf(new Stack(platform).up(githost));
  expect(message).toMatch(
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
    ...{ id: OTHER.replace("2", (index + 1).toString(16).padStart(1, "0")), installation_id: index, name: "acme" },
  }));
  await platform.emulator.faults.add({
    ...{ method: "GET", path: "/v1/integrations/*/install", status: 200, body: many },
  });
  const { message } = await failureOf(new Stack(platform).up(githost));
  expect(message.split("\n").slice(-12)).toEqual([
    "The integrations of this workspace:",
    ...many.slice(0, 10).map(({ id }) => `  ${id}  acme`),
    "  and 1 more",
  ]);
  await platform.emulator.faults.add({
    ...{ method: "GET", path: "/v1/integrations/*/install", status: 200, body: [] },
  });
  expect((await failureOf(new Stack(platform).up(githost))).message).toMatch(
    /\nThis workspace has no integrations\. Connect the git host to this workspace first\.$/,
  );
});

test("the error contains only the server's message when the list cannot be read", async () => {
  const platform = await startPlatform();
  await platform.emulator.faults.add({ method: "GET", path: "/v1/integrations/*/install", status: 403, body: {} });
  const { message } = await failureOf(new Stack(platform).up(githost));
  expect(message).toMatch(/integration \S+ does not exist/);
  expect(message).not.toContain("of this workspace:");
});

test("a rejection for another reason sends no further request", async () => {
  const platform = await startPlatform();
  const detail = "name: not a valid name";
  await platform.emulator.faults.add({ method: "POST", path: "/v2/deployments", status: 422, body: { detail } });
  expect((await failureOf(new Stack(platform).up(githost))).message).toContain(detail);
  expect(platform.requests().at(-1)).toBe("POST /v2/deployments");
});
