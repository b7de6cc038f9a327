/** What a team has moves into code: adopted, its secrets set, imported, and a preview that shows no change. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { plantEstate, SECRET } from "../../cli/support/adopt-estate";
import { type CommandResult, succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { drifted, messagesOf, steps } from "../support/cli/events";
import { API_KEY, World } from "../support/world";
import { agentgraph, type Ended } from "./command";

const world = new World({ strict: true, apiKey: API_KEY });
let stack: CliStack;
let estate: Awaited<ReturnType<typeof plantEstate>>;

interface AdoptReport {
  resources: { kind: string; id: string; title: string; name: string }[];
  skipped: { kind: string; id: string; title: string; reason: string }[];
  notes: string[];
  secrets: { key: string; resource: string; path: string }[];
  files: string[];
  next: string[];
}

/** One agent of the estate has an address that a member of the workspace chose. */
const settings = () => ({
  ...world.tracing,
  AGENTGRAPH_AGENT_ORIGINS: JSON.stringify([world.url.replace("127.0.0.1", "localhost")]),
});

async function adopt(into: CliStack, ...args: string[]): Promise<Ended> {
  const cwd = await world.createFolder("elsewhere");
  const env = { ...{ ...settings(), AGENTGRAPH_CONTROL_PLANE_URL: world.url, AGENTGRAPH_API_KEY: API_KEY } };
  return agentgraph({ args: ["adopt", "--out", into.program.folder, ...args], cwd, env });
}

/** Every byte in the folder of the program that adopt wrote. */
async function readGenerated(files: readonly string[]): Promise<string> {
  return (await Promise.all(files.map((file) => readFile(join(stack.program.folder, file), "utf8")))).join("\n");
}

async function setSecrets(of: CliStack, report: AdoptReport): Promise<void> {
  const values = report.secrets.flatMap((secret) => ["--secret", `${secret.key}=${secretValue(secret)}`]);
  await of.runOrThrow("config", "set-all", ...values);
}

/** Returns the value of a secret that the report asks for. */
function secretValue({ path, resource }: AdoptReport["secrets"][number]): string {
  if (resource === "small-3") return `${SECRET}-rotated`;
  const { accessKeyId, secretAccessKey } = world.emulator.bucket;
  if (path === "credentials.accessKeyId") return accessKeyId;
  if (path === "credentials.secretAccessKey") return secretAccessKey;
  return `${SECRET}-${path.replace(/^.*\.env\.|^secrets\./, "")}`;
}

beforeAll(async () => {
  estate = await plantEstate(world.emulator, (...request) => world.call<{ id: string }>(...request));
  stack = await world.stack({ project: "adopted", env: settings() });
});

test("45 objects of every type are adopted and imported, and a preview shows only the differences", async () => {
  await world.requests();
  const adopted = await adopt(stack, "--threads", "--deployment", "small-1", "--json");
  expect(adopted).toMatchObject({ code: 0, stderr: "" });
  expect((await world.requests()).filter((line) => !/^GET |\/(threads|assistants|crons)\/search$/.test(line))).toEqual(
    [],
  );
  const report: AdoptReport = JSON.parse(adopted.stdout);
  // Before its first revision is live, the platform shows no secrets.
  expect(report.notes).toEqual([expect.stringMatching(/^The server does not return which secrets a deployment has, /)]);
  const kinds = Map.groupBy(report.resources, ({ kind }) => kind);
  expect(Object.fromEntries([...kinds].map(([kind, { length }]) => [kind, length]))).toEqual({
    ...{ destinations: 3, deployments: 24, exports: 4, schedules: 4, threads: 5, assistants: 2, crons: 3 },
  });
  expect(report.skipped.map(({ id }) => id).sort()).toEqual([estate.done, estate.leaky, estate.stopped].sort());

  const text = await readGenerated(report.files);
  for (const secret of secrets()) for (const shown of [text, adopted.stdout]) expect(shown).not.toContain(secret);
  expect(text).toContain("bulkExportDestinationId: dataLake.id,");
  expect(text).toContain("sessionId: billingAgent.tracingProjectId,");
  expect(text).toContain("deploymentId: small1.id,");
  expect(text).toContain("assistantId: concierge.id,");
  expect(text).toContain('assistantId: "agent",');
  expect(text).toContain('{ name: "LEVEL", value: "a\\nb\\\\c" },');

  await setSecrets(stack, report);
  const [importing = "", previewing = ""] = report.next.slice(-2).map((command) => command.replace(/^pulumi /, ""));
  const imported = await stack.runOrThrow(...importing.split(" "));
  expect(imported).toContain("= 45 imported");
  expect(imported).not.toContain("failed to validate");
  expect(previewing).toBe("preview --refresh");

  // Without a refresh state knows no secrets, and the preview says that equal ones make no revision.
  const plain = await stack.preview("--diff");
  for (const name of dependent)
    expect(messagesOf(plain, name)).toEqual([
      "changes nothing on the server: sessionId; unknown until its source is updated, which keeps the value",
    ]);
  expect(changes(plain)).toEqual(
    [
      ...[...withSecrets(), "Concierge"].map((name) => `update ${name}`),
      ...destinations,
      ...dependent.map((name) => `update ${name}`),
    ].sort(),
  );
  const [revision, only] = ["possibly new revision", "only if the server holds another value"];
  expect(messagesOf(plain, "research-0")).toEqual([`${revision}: secrets.MODEL_API_KEY; ${only}`]);
  expect(messagesOf(plain, "billing-agent").join()).toContain(
    `${revision}: secrets.MODEL_API_KEY, secrets.lower.case, resourceSpec.sidecars; ${only}`,
  );
  for (const hidden of ["__urn", "__organization", "__provider"]) expect(plain.output).not.toContain(hidden);

  // The first preview has checked the types of the program.
  stack.env.PULUMI_NODEJS_TRANSPILE_ONLY = "true";
  const preview = await stack.preview("--refresh");
  // What a service never shows cannot be compared before it was set once.
  expect(changes(preview)).toEqual([...destinations, "update small-3"]);
  expect(messagesOf(preview, "small-3")).toEqual(["new revision: secrets.TOKEN"]);
  for (const name of ["Audits-own", "Data-lake"]) expect(messagesOf(preview, name)).toEqual(["in place: credentials"]);
  expect(messagesOf(preview, "research-0")).toEqual([]);

  // Without a refresh, the secrets of deployments are not in state: the update compares them with the server, and one
  // differs.
  const revisions = await latestRevisions();
  await world.requests();
  await world.emulator.clock.resume();
  await succeeds(stack.up());
  const writes = (await world.requests()).filter((line) => /^(PATCH|PUT|DELETE|POST .*[^h]$)/.test(line));
  expect(writes.map(withoutIds).sort()).toEqual([
    ...Array(3).fill("PATCH /api/v1/bulk-exports/destinations/{id}"),
    "PATCH /v2/deployments/{id}",
  ]);
  expect(
    [...(await latestRevisions())].filter(([name, revision]) => revisions.get(name) !== revision).map(([name]) => name),
  ).toEqual(["small-3"]);
  const last = await succeeds(stack.up("--refresh", "--expect-no-changes"));
  expect([changes(last), drifted(last)]).toEqual([[], []]);
  for (const secret of secrets()) expect(await stack.readBackend()).not.toContain(secret);
});

test("a destroy deletes every adopted resource", async () => {
  const destroyed = await succeeds(stack.destroy());
  expect(steps(destroyed)).toHaveLength(45);
  expect(await world.deployments()).toEqual([]);
  expect(await stack.resources()).toEqual(new Map());
});

const destinations = ["Audits-own", "Data-lake", "billing-agent-destination"].map((name) => `update ${name}`);
/** Exports of projects that belong to those: an update makes outputs unknown until it is done. */
const dependent = ["2026-01-15", "every-24h", "every-24h-2"]
  .map((name) => `billing-agent-${name}`)
  .concat("research-0-every-1h");
/** Deployments of the estate that have secrets. */
const withSecrets = () => [
  ...["billing-agent", "notes-agent", "research-0", "research-1", "starter-agent"],
  ...[3, 6, 9, 12, 15].map((number) => `small-${number}`),
];
/** Returns the steps of a run that change something; reading a resource again changes nothing. */
const changes = (run: CommandResult) =>
  steps(run)
    .filter((step) => !step.startsWith("refresh "))
    .sort();
const withoutIds = (line: string) => line.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "{id}");
const secrets = () => [SECRET, world.emulator.bucket.accessKeyId, world.emulator.bucket.secretAccessKey, API_KEY];
/** The newest revision of each deployment, by name. */
const latestRevisions = async () =>
  new Map((await world.deployments()).map((one) => [one.name, one.latest_revision_id]));
