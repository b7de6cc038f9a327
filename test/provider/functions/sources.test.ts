/** Where sources come from and deployments go to, and what revisions say: looked up. */
import { TestClock } from "../../support/clock";
import { failureOf } from "../../support/errors";
import { program } from "../../support/functions";
import { startPlatform } from "../../support/platform";
import { json, TestServer } from "../../support/server";

const [first, second] = ["aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"];
const LISTENER = "22222222-2222-4222-8222-222222222222";
const INTEGRATION = "33333333-3333-4333-8333-333333333333";
const INSTALL = "GET /v1/integrations/githost/install";

describe("integrations and repositories", () => {
  // @covers 4A.GET /v1/integrations/githost/install:provider
  it("are found by name and listed, in our names", async () => {
    const look = program(await startPlatform());
    const local = { id: INTEGRATION, installationId: 1, name: "local" };
    expect(await look("getIntegration", { name: "local" })).toEqual(local);
    expect(await look("getIntegrations")).toEqual([local]);
    expect(await look("getRepositories", { integrationId: INTEGRATION })).toEqual([
      {
        ...{ id: expect.any(Number), name: "agent", owner: "team", url: "https://git.example/team/agent" },
        ...{ defaultBranch: "main", hostIntegrationId: INTEGRATION },
      },
    ]);
  });

  it("cost one request for all who ask at the same time", async () => {
    const platform = await startPlatform();
    const look = program(platform);
    await Promise.all([
      ...["local", "local"].map((name) => look("getIntegration", { name })),
      ...[look("getIntegrations"), look("getIntegrations", {})],
    ]);
    expect(platform.requests()).toEqual([INSTALL]);
  });

  it("say which there are when there is none of a name, and give the ids when there are two", async () => {
    const platform = await startPlatform();
    const look = program(platform);
    expect((await failureOf(look("getIntegration", { name: "Local" }))).message).toBe(
      'No integration with name "Local" is visible to this API key. Available: "local".',
    );
    await platform.emulator.seed({
      integrations: [
        { id: first, name: "twin" },
        { id: second, name: "twin" },
      ],
    });
    const { message } = await failureOf(look("getIntegration", { name: "twin" }));
    expect(message).toMatch(/^Found 2 integrations with name "twin" \(IDs: /);
    expect(message).toContain(`${first}, ${second}`);
    expect(message).toMatch(/Use the ID of the intended one instead\.$/);
    await platform.emulator.seed({ integrations: Array.from({ length: 998 }, () => ({ name: "twin" })) });
    const many = (await failureOf(look("getIntegration", { name: "twin" }))).message;
    expect(many).toMatch(/^Found 1000 integrations with name "twin" \(IDs: .*, and 990 more\)\. Use the ID /);
    expect(many.match(/[0-9a-f]{8}-/g)).toHaveLength(10);
  });

  it("are asked for in the words of the service", async () => {
    const vocabulary = { githost: "forge", agentgraph: "flow" };
    const platform = await startPlatform({ vocabulary });
    await program(platform, { vocabulary: JSON.stringify(vocabulary) })("getIntegrations");
    expect(platform.requests()).toEqual([INSTALL.replace("githost", "forge")]);
  });
});

describe("listeners", () => {
  // @covers 4A.GET /v2/listeners:provider
  it("are found by id and by cluster, and listed, in our names", async () => {
    const look = program(await startPlatform());
    const local = {
      ...{ id: LISTENER, computeType: "k8s", computeId: "local-cluster" },
      computeConfig: { k8sNamespaces: ["default", "agents"] },
    };
    expect(await look("getListener", { id: LISTENER })).toEqual(local);
    expect(await look("getListener", { computeId: "local-cluster" })).toEqual(local);
    expect(await look("getListeners")).toEqual([local]);
  });

  it("say which clusters or ids there are when there is none of that", async () => {
    const look = program(await startPlatform());
    expect((await failureOf(look("getListener", { computeId: "cluster" }))).message).toBe(
      'No listener with computeId "cluster" is visible to this API key. Available: "local-cluster".',
    );
    expect((await failureOf(look("getListener", { id: first }))).message).toContain(`Available: "${LISTENER}".`);
  });

  // @covers 4A.GET /v2/listeners:provider
  it("page to the end", async () => {
    const platform = await startPlatform();
    await platform.emulator.seed({ listeners: Array.from({ length: 120 }, (_, n) => ({ compute_id: `c-${n}` })) });
    expect(await program(platform)("getListeners")).toHaveLength(121);
    expect(platform.requests()).toHaveLength(3);
  });
});

describe("getPushToken", () => {
  it("tells where to push, and the token itself only where secrets are asked for", async () => {
    const platform = await startPlatform();
    const seed = { deployments: [{ name: "pushed", source: "internal_docker" as const }, { name: "other" }] };
    const { deployments: [deploymentId, other] = [] } = await platform.emulator.seed(seed);
    const look = program(platform);
    const open = {
      ...{ username: "push", registryUrl: `registry.example/${deploymentId}` },
      repositoryUrl: `registry.example/${deploymentId}/pushed`,
    };
    expect(await look("getPushToken", { deploymentId })).toEqual(open);
    const whole = await look("getPushToken", { deploymentId, withSecrets: true });
    expect(whole).toEqual({ ...open, token: expect.stringMatching(/.{20}/) });
    expect((await failureOf(look("getPushToken", { deploymentId: other }))).message).toMatch(/400: .*internal_docker/);
  });
});

describe("getUploadUrl", () => {
  it("returns where a tarball belongs and its path, and the URL itself only where secrets are asked for", async () => {
    const platform = await startPlatform();
    const seed = { deployments: [{ name: "uploaded", source: "internal_source" as const }, { name: "other" }] };
    const { deployments: [deploymentId, other] = [] } = await platform.emulator.seed(seed);
    const look = program(platform);
    const objectPath = expect.stringContaining(String(deploymentId));
    expect(await look("getUploadUrl", { deploymentId })).toEqual({ objectPath });
    const whole = await look("getUploadUrl", { deploymentId, withSecrets: true });
    expect(whole).toEqual({ objectPath, uploadUrl: expect.stringMatching(/^http.*signature=/) });
    const headers = { "content-type": "application/gzip" };
    expect((await fetch(whole.uploadUrl, { method: "PUT", headers, body: "x" })).status).toBe(200);
    expect((await failureOf(look("getUploadUrl", { deploymentId: other }))).message).toMatch(/400: .*internal_source/);
  });
});

describe("revisions", () => {
  // @covers 4A.GET /v2/deployments/{deployment_id}/revisions/{revision_id}
  it("are told one by one, all of them, and by status", async () => {
    const platform = await startPlatform();
    const content = { image_uri: "registry.example.com/agent:1" };
    const { deployments: [deploymentId = ""] = [] } = await platform.emulator.seed({
      deployments: [{ name: "agent", source_revision_config: content }],
    });
    for (let n = 0; n < 120; n++) {
      const body = { source_revision_config: { image_uri: `registry.example.com/agent:${n}` } };
      await platform.call("PATCH", `/v2/deployments/${deploymentId}`, body);
    }
    await platform.emulator.journal.clear();
    const look = program(platform);
    const all = await look("getRevisions", { deploymentId });
    expect(all).toHaveLength(121);
    expect(platform.requests()).toHaveLength(3);
    const [newest] = all;
    expect(newest).toMatchObject({
      ...{ source: "external_docker", createdAt: expect.any(String) },
      sourceRevisionConfig: { imageUri: "registry.example.com/agent:119" },
    });
    expect(await look("getRevision", { deploymentId, revisionId: newest.id })).toEqual(newest);
    const deployed = await look("getRevisions", { deploymentId, status: ["DEPLOYED", "SKIPPED"] });
    expect(deployed.length).toBeGreaterThan(0);
    expect(deployed.map(({ status }: { status: string }) => status)).not.toContain(newest.status);
  });

  it("are told in the words of the interface, however the service spells them", async () => {
    const vocabulary = { githost: "forge", agentgraph: "flow" };
    const platform = await startPlatform({ vocabulary });
    const content = { repo_ref: "main", agentgraph_config_path: "flow.json" };
    const { deployments: [deploymentId = ""] = [] } = await platform.emulator.seed({
      deployments: [{ name: "agent", source: "githost", source_revision_config: content }],
    });
    const look = program(platform, { vocabulary: JSON.stringify(vocabulary) });
    const told = { source: "githost", sourceRevisionConfig: { agentgraphConfigPath: "flow.json" } };
    expect(await look("getRevisions", { deploymentId })).toMatchObject([told]);
    expect(await look("getDeployment", { name: "agent" })).toMatchObject(told);
  });

  it("tell their log: all of it, so many lines of it, or some", async () => {
    const platform = await startPlatform();
    const created = await platform.call("POST", "/v2/deployments", {
      ...{ name: "agent", source: "external_docker", source_config: { resource_spec: {} }, secrets: [] },
      source_revision_config: { image_uri: "registry.example.com/agent:1" },
    });
    const { id: deploymentId, latest_revision_id: revisionId } = created.body;
    await platform.advance(60_000);
    const look = program(platform);
    const log = (more: object = {}) => look("getRevisionLogs", { deploymentId, revisionId, type: "deploy", ...more });
    const all = await log();
    expect(all.length).toBeGreaterThan(2);
    expect(all[0]).toEqual({
      id: expect.any(String),
      timestamp: expect.any(String),
      level: "INFO",
      message: expect.any(String),
    });
    expect(await log({ order: "desc" })).toEqual(all.toReversed());
    expect(await log({ limit: 2 })).toEqual(all.slice(0, 2));
    expect(await log({ query: all[1].message })).toEqual([all[1]]);
    expect(await log({ level: "ERROR" })).toEqual([]);
    expect(await log({ endTime: all[0].timestamp })).toEqual([all[0]]);
    expect((await failureOf(log({ type: "run" }))).message).toBe('type must be one of "build", "deploy", not "run".');
  });

  it("tell a log of more than a page to its end, and follow no cursor that stands still", async () => {
    const page = (text: string, cursor: string | null) => json(200, { logs: [{ message: text }], next_offset: cursor });
    const server = await TestServer.start([page("1", "a"), page("2", "b"), page("3", null), page("4", "c")]);
    const look = program({ url: server.url.origin, clock: new TestClock() });
    const log = async () => {
      const lines = await look("getRevisionLogs", { deploymentId: "d", revisionId: "r", type: "build" });
      return lines.map(({ message }: { message: string }) => message);
    };
    expect(await log()).toEqual(["1", "2", "3"]);
    expect(await log()).toEqual(["4", "4"]);
    const cursors = server.requests.map(({ url }) => new URL(url, server.url).searchParams.get("offset"));
    expect(cursors).toEqual([null, "a", "b", null, "c"]);
  });
});
