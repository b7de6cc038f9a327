/** Creates of a Deployment that are rejected: what to do, the integrations and listeners, and free names. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { startDeployment } from "../../../support/deployments/create";
import { dockerDeployment } from "../../../support/deployments/inputs";
import { failureOf, withoutRequestId } from "../../../support/errors";
import { startPlatform } from "../../../support/platform";
import { startRewritingProxy } from "../../../support/servers/rewriting-proxy";
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

// @covers 7.422
test("an unknown listener fails the create with the listeners of the workspace", async () => {
  const platform = await startPlatform();
  await expect(new Stack(platform).up(dockerDeployment({ sourceConfig: { listenerId: ID } }))).rejects.toThrow(
    new RegExp(
      String.raw`422: sourceConfig\.listenerId: .*listener 0{8}.* does not exist.*\nThe listeners of this ` +
        String.raw`workspace:\n {2}[0-9a-f-]{36}`,
    ),
  );
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
    await platform.addFault({ method: "GET", path: "/v1/integrations/*/install", status: 200, body });
    const { message } = await failureOf(new Stack(platform).up(githost));
    const [, list = ""] = message.split("The integrations of this workspace:\n");
    expect(withoutRequestId(list).split("\n")).toEqual([...expected, ...more, "Nothing was created."]);
  }
  await platform.addFault({ method: "GET", path: "/v1/integrations/*/install", status: 200, body: [] });
  await expect(new Stack(platform).up(githost)).rejects.toThrow(
    /\nThis workspace has no integrations\. Connect the git host to this workspace first\.\n {2}request ID/,
  );
});

test("the error contains only the server's message when the list cannot be read", async () => {
  const platform = await startPlatform(
    {},
    { method: "GET", path: "/v1/integrations/*/install", status: 403, body: {} },
  );
  const { message } = await failureOf(new Stack(platform).up(githost));
  expect(message).toMatch(/integration \S+ does not exist/);
  expect(message).not.toContain("of this workspace:");
});

test("the error lists the first page of many listeners", async () => {
  const platform = await startPlatform();
  const resources = Array.from({ length: 100 }, (_, index) => ({ id: `listener-${index}`, compute_id: "east" }));
  const body = { resources, offset: 0 };
  await platform.addFault({ method: "GET", path: "/v2/listeners", status: 200, body, times: 9 });
  await expect(new Stack(platform).up(dockerDeployment({ sourceConfig: { listenerId: ID } }))).rejects.toThrow(
    "\n  listener-0  east\n",
  );
  expect(platform.requests({ path: "/v2/listeners" })).toHaveLength(1);
});

test.each<[number, string, PropertyMap?]>([
  [422, "name: not a valid name"],
  [403, "the plan does not include this integration"],
  // Only the default of the flag is sent in place of none.
  [422, "build_on_push: must be false", { buildOnPush: true }],
])("a rejection for another reason (%i: %s) sends no further request", async (status, detail, config = {}) => {
  const platform = await startPlatform({}, { method: "POST", path: "/v2/deployments", status, body: { detail } });
  const declared = { ...githost, sourceConfig: { ...githost.sourceConfig, ...config } };
  await expect(new Stack(platform).up(declared)).rejects.toThrow(detail);
  expect(platform.requests().at(-1)).toBe("POST /v2/deployments");
});

// @covers 2A.Deployment.agent:one, 2A.SourceConfig.deployment_type:required
it.each<[number, string, RegExp]>([
  [409, "A deployment already exists for this agent environment.", /Import that deployment, or declare another/],
  [409, "A tracing project with this name already exists.", /rename or delete that tracing project/],
  [
    409,
    "A deployment with this name already exists.",
    /run `pulumi up` again: the list may .* keeps the name until then: choose another one/,
  ],
  [400, "Scale to zero deployments are not supported in AWS environments", /another sourceConfig\.deploymentType/],
  [400, "Cloud deployment_type and GitHub build_on_push must be supplied", /"dev", "prod" \(dedicated\) or "dev_zero"/],
  [400, "template_id is required for internal_template", /requires sourceConfig\.templateId/],
])("a create that is rejected with %i and %j says what to do, and nothing is created", async (status, detail, hint) => {
  const { platform, stack } = await startDeployment();
  await platform.addFault({ method: "POST", path: "/v2/deployments", status, body: { detail } });
  const { message } = await failureOf(stack.up(dockerDeployment()));
  expect(message).toContain(`POST /v2/deployments: ${status}: ${detail}\n`);
  expect(message).toMatch(hint);
  expect(message).toContain("Nothing was created.");
  expect([stack.state, await platform.deployments()]).toEqual([undefined, []]);
});

// @covers 10A.name-taken, 10A.name-filter
it("a create fails on a server that returns only one full page, because the name may be taken", async () => {
  const platform = await startPlatform();
  const names = Array.from({ length: 240 }, (_, n) => (n % 2 ? `agent-${n}` : `other-${n}`));
  await platform.emulator.seed({ deployments: names.map((name) => ({ name })) });
  const server = await startRewritingProxy(platform, () => undefined, {
    forward: (url) => url.replace(/offset=\d+/, "offset=0"),
  });
  const { message } = await failureOf(new Stack(server).up(dockerDeployment({ name: "agent" })));
  expect(message).toBe(
    'Deployment "agent": Could not list all deployments: after 100 of them the server returned the first ' +
      'page again. Does it support paging?\nCould not determine whether the name "agent" is taken. Nothing ' +
      "was created. Run `pulumi up` again.",
  );
  expect(platform.requests({ method: "POST" })).toEqual([]);
});
