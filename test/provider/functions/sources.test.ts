/** The functions for integrations, repositories, listeners, push tokens, uploads, revisions and logs. */
import { failureOf } from "../../support/errors";
import { startPlatform } from "../../support/platform";
import { json, TestServer } from "../../support/servers/server";
import { TestClock } from "../../support/time/clock";
import { program, startLogs } from "./program";

const [first, second] = ["aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"];
const LISTENER = "22222222-2222-4222-8222-222222222222";
const INTEGRATION = "33333333-3333-4333-8333-333333333333";
const INSTALL = "GET /v1/integrations/githost/install";

describe("Integrations and repositories", () => {
  // @covers 4A.GET /v1/integrations/githost/install:provider
  it("are found by name and listed", async () => {
    const call = program(await startPlatform());
    const local = { id: INTEGRATION, installationId: 1, name: "local" };
    expect(await call("getIntegration", { name: "local" })).toEqual(local);
    expect(await call("getIntegrations")).toEqual([local]);
    expect(await call("getRepositories", { integrationId: INTEGRATION })).toEqual([
      {
        ...{ id: expect.any(Number), name: "agent", owner: "team", url: "https://git.example/team/agent" },
        ...{ defaultBranch: "main", hostIntegrationId: INTEGRATION },
      },
    ]);
  });

  it("are read with one request for concurrent calls", async () => {
    const platform = await startPlatform();
    const call = program(platform);
    await Promise.all([
      ...["local", "local"].map((name) => call("getIntegration", { name })),
      ...[call("getIntegrations"), call("getIntegrations", {})],
    ]);
    expect(platform.requests()).toEqual([INSTALL]);
  });

  it("fail for an unknown name with the available names, and for an ambiguous one with the IDs", async () => {
    const platform = await startPlatform();
    const call = program(platform);
    expect((await failureOf(call("getIntegration", { name: "Local" }))).message).toBe(
      'No integration with name "Local" is visible to this API key. Available: "local".',
    );
    await platform.emulator.seed({
      integrations: [
        { id: first, name: "twin" },
        { id: second, name: "twin" },
      ],
    });
    const { message } = await failureOf(call("getIntegration", { name: "twin" }));
    expect(message).toMatch(/^Found 2 integrations with name "twin" \(IDs: /);
    expect(message).toContain(`${first}, ${second}`);
    expect(message).toMatch(/Use the ID of the intended one instead\.$/);
    await platform.emulator.seed({ integrations: Array.from({ length: 998 }, () => ({ name: "twin" })) });
    const many = (await failureOf(call("getIntegration", { name: "twin" }))).message;
    expect(many).toMatch(/^Found 1000 integrations with name "twin" \(IDs: .*, and 990 more\)\. Use the ID /);
    expect(many.match(/[0-9a-f]{8}-/g)).toHaveLength(10);
  });
});

describe("Listeners", () => {
  // @covers 4A.GET /v2/listeners:provider
  it("are found by ID and by cluster, and listed", async () => {
    const call = program(await startPlatform());
    const local = {
      ...{ id: LISTENER, computeType: "k8s", computeId: "local-cluster" },
      computeConfig: { k8sNamespaces: ["default", "agents"] },
    };
    expect(await call("getListener", { id: LISTENER })).toEqual(local);
    expect(await call("getListener", { computeId: "local-cluster" })).toEqual(local);
    expect(await call("getListeners")).toEqual([local]);
  });

  it("fail for an unknown cluster or ID with the available ones", async () => {
    const call = program(await startPlatform());
    expect((await failureOf(call("getListener", { computeId: "cluster" }))).message).toBe(
      'No listener with computeId "cluster" is visible to this API key. Available: "local-cluster".',
    );
    await expect(call("getListener", { id: first })).rejects.toThrow(`Available: "${LISTENER}".`);
  });

  // @covers 4A.GET /v2/listeners:provider
  it("are read to the end of the list", async () => {
    const platform = await startPlatform();
    await platform.emulator.seed({ listeners: Array.from({ length: 120 }, (_, n) => ({ compute_id: `c-${n}` })) });
    expect(await program(platform)("getListeners")).toHaveLength(121);
    expect(platform.requests()).toHaveLength(3);
  });
});

it("getPushToken returns the repository, and the token only with withSecrets", async () => {
  const platform = await startPlatform();
  const seed = { deployments: [{ name: "pushed", source: "internal_docker" as const }, { name: "other" }] };
  const { deployments: [deploymentId, other] = [] } = await platform.emulator.seed(seed);
  const call = program(platform);
  const publicFields = {
    ...{ username: "push", registryUrl: `registry.example/${deploymentId}` },
    repositoryUrl: `registry.example/${deploymentId}/pushed`,
  };
  expect(await call("getPushToken", { deploymentId })).toEqual(publicFields);
  const whole = await call("getPushToken", { deploymentId, withSecrets: true });
  expect(whole).toEqual({ ...publicFields, token: expect.stringMatching(/.{20}/) });
  await expect(call("getPushToken", { deploymentId: other })).rejects.toThrow(/400: .*internal_docker/);
});

it("getUploadUrl returns the object path, and the URL only with withSecrets", async () => {
  const platform = await startPlatform();
  const seed = { deployments: [{ name: "uploaded", source: "internal_source" as const }, { name: "other" }] };
  const { deployments: [deploymentId, other] = [] } = await platform.emulator.seed(seed);
  const call = program(platform);
  const objectPath = expect.stringContaining(String(deploymentId));
  expect(await call("getUploadUrl", { deploymentId })).toEqual({ objectPath });
  const whole = await call("getUploadUrl", { deploymentId, withSecrets: true });
  expect(whole).toEqual({ objectPath, uploadUrl: expect.stringMatching(/^http.*signature=/) });
  const headers = { "content-type": "application/gzip" };
  expect((await fetch(whole.uploadUrl, { method: "PUT", headers, body: "x" })).status).toBe(200);
  await expect(call("getUploadUrl", { deploymentId: other })).rejects.toThrow(/400: .*internal_source/);
});

describe("Revisions", () => {
  // @covers 4A.GET /v2/deployments/{deployment_id}/revisions/{revision_id}
  it("are returned one by one, as a list, and by status", async () => {
    const platform = await startPlatform();
    const content = { image_uri: "registry.example.com/agent:1" };
    const { deployments: [deploymentId = ""] = [] } = await platform.emulator.seed({
      deployments: [{ name: "agent", source_revision_config: content }],
    });
    for (let n = 0; n < 120; n++) {
      const body = { source_revision_config: { image_uri: `registry.example.com/agent:${n}` } };
      await platform.call("PATCH", `/v2/deployments/${deploymentId}`, body);
    }
    await platform.emulator.requestLog.clear();
    const call = program(platform);
    const all = await call("getRevisions", { deploymentId });
    expect(all).toHaveLength(121);
    expect(platform.requests()).toHaveLength(3);
    const [newest] = all;
    expect(newest).toMatchObject({
      ...{ source: "external_docker", createdAt: expect.any(String) },
      sourceRevisionConfig: { imageUri: "registry.example.com/agent:119" },
    });
    expect(await call("getRevision", { deploymentId, revisionId: newest.id })).toEqual(newest);
    const deployed = await call("getRevisions", { deploymentId, status: ["DEPLOYED", "SKIPPED"] });
    expect(deployed.length).toBeGreaterThan(0);
    expect(deployed.map(({ status }: { status: string }) => status)).not.toContain(newest.status);
  });

  it("have a log that is returned whole, limited or filtered", async () => {
    const { log } = await startLogs();
    const all = await log();
    expect(all.length).toBeGreaterThan(2);
    expect(all[0]).toEqual({
      ...{ id: expect.any(String), timestamp: expect.any(String), level: "INFO", message: expect.any(String) },
    });
    expect(await log({ order: "desc" })).toEqual(all.toReversed());
    expect(await log({ limit: 2 })).toEqual(all.slice(0, 2));
    expect(await log({ query: all[1].message })).toEqual([all[1]]);
    expect(await log({ level: "ERROR" })).toEqual([]);
    expect(await log({ endTime: all[0].timestamp })).toEqual([all[0]]);
    expect((await failureOf(log({ type: "run" }))).message).toBe('type must be one of "build", "deploy", not "run".');
  });

  it("have a log that is read to its end over several pages, where a repeated cursor ends it", async () => {
    const page = (text: string, cursor: string | null) => json(200, { logs: [{ message: text }], next_offset: cursor });
    const server = await TestServer.start([page("1", "a"), page("2", "b"), page("3", null), page("4", "c")]);
    const call = program({ url: server.url.origin, clock: new TestClock() });
    const log = async () => {
      const lines = await call("getRevisionLogs", { deploymentId: "d", revisionId: "r", type: "build" });
      return lines.map(({ message }: { message: string }) => message);
    };
    expect(await log()).toEqual(["1", "2", "3"]);
    expect(await log()).toEqual(["4", "4"]);
    const cursors = server.requests.map(({ url }) => new URL(url, server.url).searchParams.get("offset"));
    expect(cursors).toEqual([null, "a", "b", null, "c"]);
  });
});
