/** Deployments on another server or workspace, and on servers that use other words or have fewer features. */
import { createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage, withResourceSpec } from "../../../../support/deployments/inputs";
import { createAgentFolder, internalSource } from "../../../../support/deployments/source-folder";
import { failureOf } from "../../../../support/errors";
import { type Platform, startPlatform } from "../../../../support/platform";
import { expectClean, type Stack, startStack, stateOf } from "../../../../support/stack";

const other = "99999999-9999-4999-8999-999999999999";

it.each(["up", "refresh"])("Deployment: with allowServerChange, %s stores a server that has moved", async (command) => {
  const { platform, stack } = await createDeployment();
  const moved = stack.host({
    controlPlaneUrl: platform.url.replace("127.0.0.1", "localhost"),
    allowServerChange: "true",
  });
  await (command === "up" ? stack.up(dockerDeployment(withImage("2")), moved) : stack.refresh(moved));
  expect(stateOf(stack).outputs.__server).toMatchObject({ origin: expect.stringContaining("localhost") });
});

it("Deployment: the API key of another workspace does not make it look deleted", async () => {
  const platform = await startPlatform();
  await platform.emulator.seed({
    workspaces: [{ id: other, name: "other" }],
    keys: [{ key: "ours" }, { key: "theirs", workspaces: [other] }],
    deployments: [{ name: "theirs", tenant_id: other }],
  });
  const stack = await startStack(platform, dockerDeployment(), { config: { apiKey: "ours" } });
  for (const attempt of [
    () => stack.refresh(stack.host({ apiKey: "theirs" })),
    () => stack.destroy(stack.host({ apiKey: "theirs" })),
  ]) {
    await expect(attempt()).rejects.toThrow(other);
  }
  expect(stack.state).toBeDefined();
});

describe("Deployment: an API key of an empty workspace", () => {
  const ownWorkspace = "11111111-1111-4111-8111-111111111111";

  async function withKeys(theirs: object): Promise<{ platform: Platform; stack: Stack }> {
    const platform = await startPlatform();
    await platform.emulator.seed({
      workspaces: [{ id: other, name: "other" }],
      keys: [{ key: "ours" }, { key: "theirs", ...theirs }],
    });
    const stack = await startStack(platform, dockerDeployment(), { config: { apiKey: "ours" } });
    return { platform, stack };
  }
  const attempts = (stack: Stack) => [
    () => stack.refresh(stack.host({ apiKey: "theirs" })),
    () => stack.up(dockerDeployment(withImage("2")), stack.host({ apiKey: "theirs" })),
    () => stack.destroy(stack.host({ apiKey: "theirs" })),
  ];

  it("does not make a deployment of another workspace look deleted", async () => {
    const { platform, stack } = await withKeys({ workspaces: [other] });
    for (const attempt of attempts(stack)) {
      await expect(attempt()).rejects.toThrow(
        new RegExp(
          `in workspace ${ownWorkspace}, but the API key resolves to a different, empty workspace and has no ` +
            "access to that one .*403",
        ),
      );
    }
    expect(stack.state).toBeDefined();
    expect(await platform.getDeployment(stateOf(stack).id)).toMatchObject({ status: "READY" });
  });

  it("that has access to the other workspace, too, leads to an error about tenantId", async () => {
    const { platform, stack } = await withKeys({ workspaces: [other] });
    const { id } = stateOf(stack);
    const path = `/v2/deployments/${id}`;
    for (const attempt of attempts(stack)) {
      // The server accepts the header for this one request.
      const { body } = await platform.call("GET", path, undefined, { "x-api-key": "ours" });
      await platform.addFault({ method: "GET", path, skip: 2, status: 200, body });
      await expect(attempt()).rejects.toThrow("agentgraph:tenantId");
    }
    expect(stack.state).toBeDefined();
  });

  it("whose only deployment was deleted counts as deleted", async () => {
    const { platform, stack } = await withKeys({});
    await platform.call("DELETE", `/v2/deployments/${stateOf(stack).id}`, undefined, { "x-api-key": "ours" });
    await platform.advance(600_000);
    await platform.emulator.requestLog.clear();
    expect(await stack.refresh()).toBe("gone");
    const poll = "GET /v2/deployments/{id}";
    // Twice, with the list that would show it; then the workspace of the API key, and the one in state.
    expect(platform.requests()).toEqual([poll, poll, "GET /v2/deployments", "GET /v2/deployments", poll]);
  });
});

// @covers 2A.Volume:untouched
it("Deployment: a null in a free-form field is sent unchanged and is not drift when the server omits it", async () => {
  const { platform, stack } = await startDeployment();
  const emptyDir = { medium: null, sizeLimit: "1Gi" };
  const declared = dockerDeployment(withResourceSpec({ volumes: [{ name: "cache", emptyDir }] }));
  const { id, outputs } = await stack.stateAfter(declared);
  const sent = (await platform.getDeployment(id)).source_config;
  expect(sent.resource_spec.volumes).toEqual([{ name: "cache", emptyDir }]);
  expect(outputs).toMatchObject(declared);
  const volumes = [{ name: "cache", emptyDir: { sizeLimit: "1Gi" } }];
  await platform.updateOutOfBand(id, { source_config: { ...sent, resource_spec: { ...sent.resource_spec, volumes } } });
  await expectClean(stack, declared);
});

it("Deployment: a preview requires no API key and no server, and warns once", async () => {
  const { stack } = await createDeployment();
  const bare = stack.fork({ config: { apiKey: "", controlPlaneUrl: "" } });
  bare.state = stack.state;
  const host = bare.host({ apiKey: "", controlPlaneUrl: "" });
  expect(await bare.diff(dockerDeployment(), host)).toMatchObject({ changes: false });
  expect(await bare.diff(dockerDeployment(withImage("2")), host)).not.toMatchObject({ changes: false });
  const warnings = bare.messages.filter((row) => row.includes("pulumi config set"));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/AGENTGRAPH_URL.*AGENTGRAPH_API_KEY/s);
  await expect(bare.up(dockerDeployment(withImage("2")), host)).rejects.toThrow("AGENTGRAPH_API_KEY");
});

const vendor = { githost: "github", agentgraph: "langgraph" };
const neutral = { githost: "githost", agentgraph: "agentgraph" };
const command = (words: object) => `pulumi config set agentgraph:vocabulary '${JSON.stringify(words)}'`;

const ofRepository = {
  ...{ name: "agent", source: "githost", waitFor: "none" },
  sourceConfig: { repoUrl: "https://git.example.com/team/agent" },
  sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json" },
};

it.each([
  ["the platform", vendor, neutral],
  ["the documentation", neutral, vendor],
])("Deployment: a server with the words of %s rejects others with the command that sets them", async (...row) => {
  const [, spoken, configured] = row;
  const { stack } = await startDeployment({
    server: { vocabulary: spoken },
    stack: { config: { vocabulary: JSON.stringify(configured) } },
  });
  const { message } = await failureOf(stack.up(ofRepository));
  expect(message).toContain("422: source: Input should be");
  expect(message).toContain(`This server uses other words. Run \`${command(spoken)}\``);
});

it("Deployment: a server that drops the path under its neutral name is reported", async () => {
  const { stack } = await startDeployment({ server: { vocabulary: vendor, strict: false } });
  const failure = await failureOf(stack.up(internalSource({ sourcePath: createAgentFolder() })));
  expect(failure.message).toContain(`The server uses other words. Run \`${command(vendor)}\``);
  expect(stack.messages.filter((text) => text.startsWith("warn:"))).toEqual([
    expect.stringContaining(
      "The server did not return agentgraph_config_path, which was sent, and may know it under another name. " +
        `If it does: Run \`${command(vendor)}\``,
    ),
  ]);
});

// @covers 0:vocabulary
it("Deployment: a server that returns the path is not suspected of other words", async () => {
  const { stack } = await createDeployment(internalSource({ sourcePath: createAgentFolder() }), {
    server: { vocabulary: vendor, strict: false },
    stack: { config: { vocabulary: JSON.stringify(vendor) } },
  });
  expect(stack.messages.filter((text) => text.startsWith("warn:"))).toEqual([]);
  expect(await stack.refresh()).toBe("same");
});
