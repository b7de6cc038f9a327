/** What `agentgraph adopt` declares of each kind of object, how it names them, and which ones it skips. */
import { discoverResources } from "../../../../cli/adopt/adopt-resource";
import { typescript } from "../../../../cli/adopt/program/typescript";
import { definitions } from "../../../../provider/definitions";
import { cron } from "../../../../provider/resources/cron";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { startAgents } from "../../../support/agents/threads";
import { destinationsIn } from "../../../support/exports/destinations";
import { startWorkspace } from "../../../support/exports/exports";
import { callTracingApi, tracingSettings } from "../../../support/exports/tracing";
import { type Platform, startPlatform } from "../../../support/platform";

const EVERYTHING = {
  includeEnded: false,
  includeOwned: false,
  agentUrls: [] as string[],
  threadsOf: [] as string[],
  metadata: {},
};

/** Returns what adopt declares, and what it skips. */
async function adopted(platform: Pick<Platform, "url">, only: string, options: Partial<typeof EVERYTHING> = {}) {
  const settings = { controlPlaneUrl: platform.url, apiKey: "the-key", ...tracingSettings(platform) };
  const config = Object.fromEntries(Object.entries(settings).map(([key, value]) => [`agentgraph:${key}`, value]));
  const { all, skipped } = await discoverResources({ ...EVERYTHING, only: [only], ...options }, undefined, config, {
    ...typescript,
    problemOf: () => undefined,
  });
  return {
    titles: all.map(({ title }) => title),
    inputs: all.map(({ inputs }) => JSON.parse(JSON.stringify(inputs)) as PropertyMap),
    skipped: skipped.map(({ reason }) => reason),
  };
}

const source_revision_config = { image_uri: "registry.example.com/agent:1" };
const repo_url = "https://git.example/team/agent";

describe("adopt of a deployment", () => {
  it.each<[string, object, PropertyMap]>([
    ["no custom URL that contains its ID", { custom_url: "https://agents.example/ID" }, {}],
    ["no custom URL of the server's own address", { custom_url: "SERVER/somewhere" }, {}],
    ["another custom URL", { custom_url: "https://agents.example/a" }, { customUrl: "https://agents.example/a" }],
    ["a custom URL that is not valid", { custom_url: "agents" }, { customUrl: "agents" }],
    ["buildOnPush if it is true", { repo_url, build_on_push: true }, { repoUrl: repo_url, buildOnPush: true }],
    ["no buildOnPush if it is false", { repo_url, build_on_push: false }, { repoUrl: repo_url }],
    ["no limits that the server derives", { resource_spec: { cpu: 1 } }, { resourceSpec: { cpu: 1 } }],
    ["chosen limits", { resource_spec: { cpu: 1, cpu_limit: 3 } }, { resourceSpec: { cpu: 1, cpuLimit: 3 } }],
  ])("declares %s", async (_what, config, expected) => {
    const platform = await startPlatform();
    const id = "77777777-7777-4777-8777-777777777777";
    const source_config = JSON.parse(JSON.stringify(config).replace("ID", id).replace("SERVER", platform.url));
    const source = "repo_url" in config ? "githost" : "external_docker";
    const revision = source === "githost" ? { agentgraph_config_path: "agentgraph.json" } : source_revision_config;
    await platform.emulator.seed({
      deployments: [{ id, name: "agent", source, source_config, source_revision_config: revision, image_version: "3" }],
    });
    const { titles, inputs } = await adopted(platform, "deployments");
    expect(titles).toEqual(["agent"]);
    const [{ sourceConfig = {}, ...rest } = {}] = inputs;
    expect(sourceConfig).toEqual(expected);
    expect(rest).not.toHaveProperty("imageVersion");
  });

  it.each(["AWAITING_DELETE", "AWAITING_FINAL_DELETE"])("skips one that is %s", async (status) => {
    const platform = await startPlatform({ strict: false });
    await platform.emulator.seed({ deployments: [{ name: "agent", source_revision_config, status }] });
    expect(await adopted(platform, "deployments")).toEqual({
      ...{ titles: [], inputs: [], skipped: ["it is being deleted"] },
    });
  });
});

describe("adopt of a thread", () => {
  const long = "x".repeat(41);

  it.each<[string, PropertyMap, string]>([
    ["the title in its metadata", { title: "Refund", name: "other" }, "Refund"],
    ["the name in its metadata", { name: "Refund" }, "Refund"],
    ["the name if the title is too long", { title: long, name: long.slice(1) }, long.slice(1)],
    ["the name if the title is empty or no text", { title: "", name: "Refund" }, "Refund"],
    ["a part of its ID", { title: 5, name: [] }, "thread-77777777"],
  ])("names it after %s", async (_what, metadata, expected) => {
    const agents = await startAgents();
    await agents.callAgentServer("POST", "/threads", { thread_id: "77777777-7777-4777-8777-777777777777", metadata });
    expect((await adopted(agents, "threads", { threadsOf: ["agent"] })).titles).toEqual([expected]);
  });

  // @covers 2B.Thread.ttl:response
  it("declares its own metadata, without keys of servers and runs, and its TTL, which only a read shows", async () => {
    const agents = await startAgents();
    const [plain, rich] = ["77777777-7777-4777-8777-777777777777", "88888888-8888-4888-8888-888888888888"];
    const ofServer = { run_id: "r", assistant_id: "a", cron_id: "c", agentgraph_auth_user_id: "u" };
    // A server cannot remove a key, so someone who removes the ownership marker sets it to null.
    const added = { ...ofServer, nothing: null, pulumi_thread: null };
    await agents.callAgentServer("POST", "/threads", { thread_id: plain, metadata: added });
    const ttl = { strategy: "delete", ttl: 60 };
    await agents.callAgentServer("POST", "/threads", { thread_id: rich, metadata: { ...added, team: "a" }, ttl });
    const { inputs } = await adopted(agents, "threads", { threadsOf: ["agent"] });
    const { deploymentId } = agents;
    expect(inputs).toEqual([
      { deploymentId, threadId: plain },
      { deploymentId, threadId: rich, metadata: { team: "a" }, ttl: { strategy: "delete", ttl: 60 } },
    ]);
  });

  it("skips those of Pulumi resources unless they are included, and never declares the ownership marker", async () => {
    const agents = await startAgents();
    await agents.stack().up(agents.threadInputs());
    const threadsOf = ["agent"];
    const { skipped, titles } = await adopted(agents, "threads", { threadsOf });
    expect({ skipped, titles }).toEqual({
      ...{ titles: [], skipped: ["it has the ownership marker of a Pulumi resource (--include-owned)"] },
    });
    const { inputs } = await adopted(agents, "threads", { threadsOf, includeOwned: true });
    expect(inputs).toMatchObject([{ metadata: { graph_id: "echo", team: "support" } }]);
    expect(Object.keys(inputs[0]?.metadata as object)).toHaveLength(2);
  });
});

describe("adopt of a destination", () => {
  it.each<[string, object, PropertyMap]>([
    ["no prefix if it is empty", { prefix: "" }, {}],
    ["a prefix", { prefix: "agents" }, { prefix: "agents" }],
    ["includeBucketInPrefix if it is false", { include_bucket_in_prefix: false }, { includeBucketInPrefix: false }],
    ["no includeBucketInPrefix if it is true, the default", { include_bucket_in_prefix: true }, {}],
  ])("declares %s", async (_what, change, expected) => {
    const platform = await startPlatform();
    const {
      url: endpoint_url,
      accessKeyId: access_key_id,
      secretAccessKey: secret_access_key,
    } = platform.emulator.bucket;
    const config = { bucket_name: "exports", endpoint_url, ...change };
    const credentials = { access_key_id, secret_access_key };
    await platform.emulator.seed({ destinations: [{ display_name: "Lake", config, credentials }] });
    const { titles, inputs } = await adopted(platform, "destinations");
    expect(titles).toEqual(["Lake"]);
    expect(inputs[0]?.config).toEqual({ bucketName: "exports", endpointUrl: endpoint_url, ...expected });
    expect(Object.keys(inputs[0]?.credentials as object)).toEqual(["accessKeyId", "secretAccessKey"]);
  });

  it("declares a session token only if there is one, and is named by its ID without a name", () => {
    const { adopt } = definitions.find(({ kind }) => kind === "BulkExportDestination") ?? {};
    const remote = { id: "the-id", config: null, credentialsKeys: ["access_key_id", "session_token"] };
    expect(Object.keys(adopt?.toInputs(remote, {}, {} as never).credentials as object)).toContain("sessionToken");
    expect(adopt?.title(remote, new Map())).toBe("the-id");
  });
});

describe("adopt of an export", () => {
  const times = { start_time: "2026-01-01T00:00:00+00:00", end_time: "2026-01-04T00:00:00+00:00" };
  const declaredTimes = { startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-04T00:00:00Z" };

  it.each<[string, object, PropertyMap, string]>([
    ["its times in UTC, the version of its format, and no defaults", {}, {}, "project-PROJECT-2026-01-01"],
    [
      "other values than the defaults",
      { compression: "gzip", format_version: "v1", filter: "eq(is_root, true)" },
      { compression: "gzip", formatVersion: "v1", filter: "eq(is_root, true)" },
      "project-PROJECT-2026-01-01",
    ],
    ["some fields", { export_fields: ["id", "name"] }, { exportFields: ["id", "name"] }, "project-PROJECT-2026-01-01"],
    ["all experiments", { all_experiments: true }, { allExperiments: true }, "experiments-2026-01-01"],
  ])("declares %s", async (_what, change, expected, title) => {
    const workspace = await startWorkspace();
    const { destinationId: bulk_export_destination_id, sessionId: session_id } = workspace;
    const target = "all_experiments" in change ? {} : { session_id };
    const body = { bulk_export_destination_id, ...target, ...times, ...change };
    await callTracingApi(workspace, "POST", "bulk-exports", body);
    const { titles, inputs } = await adopted(workspace, "exports");
    expect(titles).toEqual([title.replace("PROJECT", session_id.slice(0, 8))]);
    expect(inputs).toEqual([
      {
        bulkExportDestinationId: bulk_export_destination_id,
        ...("all_experiments" in change ? {} : { sessionId: session_id }),
        ...declaredTimes,
        formatVersion: "v2_beta",
        ...expected,
      },
    ]);
  });

  it("skips those that have ended and those of a schedule, which it adopts as such until it ends", async () => {
    const workspace = await startWorkspace();
    const [once, daily] = [workspace.stack("BulkExport"), workspace.stack("ScheduledBulkExport")];
    const failed = workspace.stack("BulkExport", { name: "failed" });
    await once.up(workspace.oneTime({ waitFor: "completed" }));
    await failed.up(workspace.oneTime());
    await workspace.call("PATCH", `/_emulator/exports/${failed.state?.id}`, { status: "FAILED" });
    await daily.up(workspace.daily());
    await workspace.advance(60_000);
    const { titles, skipped } = await adopted(workspace, "exports");
    expect(titles).toEqual([]);
    const others = ["a schedule created it", "it ended FAILED; declaring it would start it again"];
    expect(new Set(skipped)).toEqual(new Set(["it has completed (--include-ended)", ...others]));
    const withEnded = await adopted(workspace, "exports", { includeEnded: true });
    expect(withEnded.titles).toHaveLength(1);
    expect(new Set(withEnded.skipped)).toEqual(new Set(others));
    const schedules = await adopted(workspace, "schedules");
    expect(schedules.titles).toEqual([`project-${workspace.sessionId.slice(0, 8)}-every-24h`]);
    expect(schedules.inputs).toMatchObject([{ intervalHours: 24 }]);
    expect(schedules.inputs[0]).not.toHaveProperty("endTime");
    await workspace.callTracingApi("PATCH", `bulk-exports/${daily.state?.id}`, { status: "Cancelled" });
    expect(await adopted(workspace, "schedules")).toEqual({
      ...{ titles: [], inputs: [], skipped: ["it is CANCELLED and no longer exports"] },
    });
    expect(await destinationsIn(workspace)).toHaveLength(1);
  });
});

const remote = { id: "c", cronId: "c", assistantId: "echo", schedule: "0 3 * * *", timezone: "UTC", metadata: {} };
const container = { deploymentId: "4b7c3d6e-0000-4000-8000-000000000001" };

it("Cron: one that is paused is adopted as paused, and defaults are left out", () => {
  const toInputs = (change: object) => cron.adopt.toInputs({ ...remote, ...change }, container, {} as never);
  expect(toInputs({ enabled: false })).toMatchObject({ schedule: "0 3 * * *", enabled: false });
  expect(toInputs({ enabled: true })).not.toHaveProperty("enabled");
  expect(toInputs({ enabled: true })).not.toHaveProperty("timezone");
});
