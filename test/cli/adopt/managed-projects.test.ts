/**
 * `agentgraph adopt` leaves alone the schedules, exports and destinations that belong to the deployments of other
 * stacks.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { discoverResources } from "../../../cli/adopt/adopt-resource";
import { ownershipOf } from "../../../cli/adopt/managed-projects";
import { typescript } from "../../../cli/adopt/program/typescript";
import { readTerraformState, type TerraformEntry } from "../../../cli/adopt/terraform";
import type { Filter } from "../../../cli/adopt/types";
import { pluralOf } from "../../../cli/adopt/types";
import { newFolder } from "../../../emulator/test/support/folder";
import { definitions } from "../../../provider/definitions";
import { callTracingApi, tracingSettings } from "../../support/exports/tracing";
import { type Platform, startPlatform } from "../../support/platform";

const MARKER = "acme/urn:pulumi:production::shop::pulumi-nodejs:dynamic/agentgraph:Deployment::agent";
const FUTURE = { start_time: "2100-01-01T00:00:00Z" };
const DAY = { start_time: "2026-01-15T00:00:00Z", end_time: "2026-01-16T00:00:00Z" };

let platform: Platform;
let settings: Record<string, string>;
/** The IDs of the created destinations, by their names. */
let destinations: Record<string, string>;

/** Adopts as the command does. */
function adopt(change: Partial<Filter> = {}, entries?: TerraformEntry[]) {
  const filter: Filter = {
    only: definitions.map(pluralOf).filter((kind) => kind !== "threads"),
    ...{ includeEnded: false, includeOwned: false, agentUrls: [], threadsOf: [], metadata: {} },
    ...change,
  };
  const config = Object.fromEntries(Object.entries(settings).map(([key, value]) => [`agentgraph:${key}`, value]));
  return discoverResources(filter, entries, config, typescript);
}

const titles = (resources: readonly { kind: string; title: string }[]) =>
  resources.map(({ kind, title }) => `${kind} ${title}`).sort();
const reasons = (skipped: Awaited<ReturnType<typeof adopt>>["skipped"]) =>
  Object.fromEntries(skipped.map(({ title, reason }) => [title, reason]));

/** Creates an export of a project to a destination. */
async function exportTo(destination: string, project: string | undefined, job: object): Promise<string> {
  const sessions = (await callTracingApi(platform, "GET", "sessions?limit=100")).body as unknown as {
    id: string;
    name: string;
  }[];
  const session_id = sessions.find(({ name }) => name === project)?.id;
  const what = project === undefined ? { all_experiments: true } : { session_id };
  const body = { bulk_export_destination_id: destinations[destination], ...what, ...job };
  const { status, body: made } = await callTracingApi(platform, "POST", "bulk-exports", body);
  expect(status).toBeLessThan(300);
  return made.id;
}

async function start(marker = MARKER): Promise<void> {
  platform = await startPlatform();
  settings = { controlPlaneUrl: platform.url, apiKey: "the-key", ...tracingSettings(platform) };
  const image = { source_revision_config: { image_uri: "registry.example.com/agent:1" } };
  const { url, accessKeyId, secretAccessKey } = platform.emulator.bucket;
  const names = ["theirs", "ours", "shared", "unused"];
  const seeded = await platform.emulator.seed({
    deployments: [
      { name: "theirs", ...image, secrets: [{ name: "PULUMI_RESOURCE", value: marker }] },
      { name: "ours", ...image },
    ],
    destinations: names.map((display_name) => ({
      display_name,
      config: { bucket_name: "exports", prefix: display_name, endpoint_url: url },
      credentials: { access_key_id: accessKeyId, secret_access_key: secretAccessKey },
    })),
  });
  destinations = Object.fromEntries(names.map((name, index) => [name, seeded.destinations?.[index] ?? ""]));
  await exportTo("theirs", "theirs", { ...FUTURE, interval_hours: 24 });
  await exportTo("theirs", "theirs", DAY);
  await exportTo("shared", "theirs", { ...FUTURE, interval_hours: 1 });
  await exportTo("shared", "ours", { ...FUTURE, interval_hours: 24 });
  await exportTo("ours", undefined, { ...FUTURE, interval_hours: 168 });
}

const MANAGED = "is managed by agent in stack production of project shop (adopt it with --include-owned)";
const OURS = [
  "deployments ours",
  ...["destinations ours", "destinations shared", "destinations unused"],
  ...["schedules experiments-every-168h", "schedules ours-every-24h"],
];

test("adopt skips exports of deployments of another stack, and destinations that only these use", async () => {
  await start();
  const { all, skipped, cautions, names } = await adopt();
  expect(names).toBeDefined();
  expect(titles(all)).toEqual(OURS);
  expect(titles(skipped)).toEqual([
    ...["deployments theirs", "destinations theirs"],
    ...["exports project-", "schedules project-", "schedules project-"].map((title) => expect.stringContaining(title)),
  ]);
  for (const { kind, reason } of skipped.filter((one) => one.kind === "schedules" || one.kind === "exports"))
    expect([kind, reason]).toEqual([kind, `it exports the traces of theirs, which ${MANAGED}`]);
  expect(reasons(skipped).theirs).toBe(
    "only exports of deployments that other programs manage use it: theirs (adopt it with --include-owned)",
  );
  expect(cautions).toEqual([
    "destination shared: exports of deployments that other programs manage also use it: theirs.",
    expect.stringContaining(
      "The server does not show whether another stack manages these: destination ours-destination, destination " +
        "shared, destination unused, schedule experiments-every-168h, schedule ours-every-24h. Before the import",
    ),
  ]);
});

test.each([
  ["only schedules", { only: ["schedules"] }, [OURS[4], expect.stringMatching(/^schedules project-/)]],
  ["only destinations", { only: ["destinations"] }, OURS.slice(1, 4)],
  ["only one deployment", { deployments: ["ours"] }, ["deployments ours", "destinations shared", OURS[5]]],
  [
    "only deployments with a text in their name",
    { nameContains: "urs" },
    ["deployments ours", "destinations shared", OURS[5]],
  ],
  ["only a deployment of others", { deployments: ["theirs"] }, []],
])("adopt skips them when it adopts %s", async (_what, change, expected) => {
  await start();
  expect(titles((await adopt(change)).all)).toEqual(expected);
});

test("adopt finds what it skips in a Terraform state, by the last ID of a path", async () => {
  await start();
  const theirs = (await adopt()).skipped.find(({ kind }) => kind === "deployments");
  const instances = [{ attributes: { id: `/v2/${destinations.ours}/${theirs?.id}` } }];
  const file = join(newFolder(), "state.json");
  writeFileSync(file, JSON.stringify({ version: 4, resources: [{ type: "t", name: "a", instances }] }));
  const { skipped, notes } = await adopt({}, await readTerraformState(file));
  expect([titles(skipped), notes]).toEqual([["deployments theirs"], []]);
});

test("adopt declares what other stacks manage with --include-owned", async () => {
  await start();
  const { all } = await adopt({ includeOwned: true });
  expect(titles(all)).toHaveLength(OURS.length + 5);
});

test("adopt skips what belongs to a deployment of which the server hides the owner", async () => {
  await start("*****");
  const { all, skipped } = await adopt();
  expect(titles(all)).toEqual(OURS);
  expect(skipped.find(({ kind }) => kind === "deployments")?.reason).toMatch(
    /^managed by a Pulumi resource, which this server does not name/,
  );
});

test.each([
  ["is canceled", { status: "CANCELLED" }, true],
  ["is completed", { status: "COMPLETED" }, true],
  ["was created by a schedule", { sourceBulkExportId: "a-schedule" }, true],
  ["is active", {}, false],
])("adopt skips what exports of others use, also if one of ours does that %s", (_what, ours, isSkipped) => {
  const theirs = { id: "1", bulkExportDestinationId: "d", status: "CREATED", sessionId: "theirs", intervalHours: 1 };
  const items = [theirs, { ...theirs, id: "2", sessionId: "ours", intervalHours: null, ...ours }];
  const lists = (["exports", "schedules"] as const).map((kind) => ({ kind, items }));
  const { reasons, cautions } = ownershipOf(lists, { byId: new Map([["theirs", { name: "theirs", owner: "a" }]]) });
  expect([reasons.has("d"), cautions.has("d")]).toEqual([isSkipped, !isSkipped]);
});

test("adopt says that it cannot recognize the exports of others without the control plane", async () => {
  await start();
  settings = { apiKey: "the-key", ...tracingSettings(platform) };
  const { cautions } = await adopt({ only: ["schedules"] });
  expect(cautions).toContainEqual(
    expect.stringMatching(/^Exports of deployments that other stacks manage could not be recognized.*controlPlaneUrl/),
  );
});

test("adopt continues without exports and destinations if one of them cannot be read, which it names", async () => {
  await start();
  const body = [{ id: "exp-1", status: "CREATED", filter: { of: "another form" } }];
  await platform.addFault({ method: "GET", path: "/api/v1/bulk-exports", status: 200, body, times: 2 });
  const all = definitions.map(pluralOf);
  const { all: adopted, notes } = await adopt({ only: all });
  expect(titles(adopted)).toEqual(["deployments ours"]);
  expect(notes).toEqual([
    expect.stringMatching(/^Exports and destinations could not be listed.*\nIt is about the item with ID exp-1/),
  ]);
  await expect(adopt({ only: ["destinations", "exports"] })).rejects.toThrow("the item with ID exp-1");
});
