/** What a team has moves into code: adopted, its secrets set, imported, and a preview that shows no change. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { plantEstate, SECRET, tenant } from "../cli/adopt-estate";
import { agentgraph, type Ended } from "../cli/support/command";
import type { Run } from "./support/cli";
import { rowOf, steps } from "./support/events";
import type { Stack } from "./support/stack";
import { API_KEY, World } from "./support/world";

const world = new World({ strict: true, apiKey: API_KEY });
let stack: Stack;
let estate: Awaited<ReturnType<typeof plantEstate>>;

interface Told {
  resources: { kind: string; id: string; title: string; name: string }[];
  left: { kind: string; id: string; why: string }[];
  notes: string[];
  secrets: { key: string; resource: string; path: string }[];
  files: string[];
  next: string[];
}

async function call(method: string, path: string, body?: object): Promise<{ id: string }> {
  const headers = { "x-api-key": API_KEY, "x-tenant-id": tenant, "content-type": "application/json" };
  const answer = await fetch(world.url + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json() as never;
}

async function adopt(...args: string[]): Promise<Ended> {
  const cwd = await world.make("elsewhere");
  const env = {
    ...{ AGENTGRAPH_CONTROL_PLANE_URL: world.url, AGENTGRAPH_TRACING_API_URL: world.url },
    ...{ AGENTGRAPH_API_KEY: API_KEY, AGENTGRAPH_TENANT_ID: tenant },
  };
  return agentgraph({ args: ["adopt", "--out", stack.program.folder, ...args], cwd, env });
}

/** Every byte in the folder of the program that adopt wrote. */
async function written(files: readonly string[]): Promise<string> {
  return (await Promise.all(files.map((file) => readFile(join(stack.program.folder, file), "utf8")))).join("\n");
}

/** What somebody who knows it types when the command asks. */
function typedFor({ path }: Told["secrets"][number]): string {
  const { accessKeyId, secretAccessKey } = world.emulator.bucket;
  if (path === "credentials.accessKeyId") return accessKeyId;
  if (path === "credentials.secretAccessKey") return secretAccessKey;
  return `${SECRET}-${path.replace(/^.*\.env\.|^secrets\./, "")}`;
}

beforeAll(async () => {
  estate = await plantEstate(world.emulator, call);
  const env = { AGENTGRAPH_TRACING_API_URL: world.url, AGENTGRAPH_TENANT_ID: tenant };
  stack = await world.stack({ project: "adopted", env });
});

test("forty objects of every kind are adopted and imported, and then nothing would change", async () => {
  await world.requests();
  const ended = await adopt("--threads", "--deployment", "small-1", "--json");
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect((await world.requests()).filter((line) => !/^GET |\/threads\/search$/.test(line))).toEqual([]);
  const told: Told = JSON.parse(ended.stdout);
  expect(told.notes).toEqual([]);
  const kinds = Map.groupBy(told.resources, ({ kind }) => kind);
  expect(Object.fromEntries([...kinds].map(([kind, { length }]) => [kind, length]))).toEqual({
    ...{ destinations: 3, deployments: 24, exports: 4, schedules: 4, threads: 5 },
  });
  expect(told.left.map(({ id }) => id).sort()).toEqual([estate.done, estate.stopped].sort());

  const text = await written(told.files);
  for (const secret of secrets()) for (const shown of [text, ended.stdout]) expect(shown).not.toContain(secret);
  expect(text).toContain("bulkExportDestinationId: dataLake.id,");
  expect(text).toContain("sessionId: billingAgent.tracingProjectId,");
  expect(text).toContain("deploymentId: small1.id,");
  expect(text).toContain('{ name: "LEVEL", value: "a\\nb\\\\c" },');

  const again = await adopt();
  expect(again).toMatchObject({ code: 2, stdout: "" });
  expect(again.stderr).toContain("already holds index.ts, import.json, README.md: nothing was written.");
  expect(await written(told.files)).toBe(text);

  const values = told.secrets.flatMap((secret) => ["--secret", `${secret.key}=${typedFor(secret)}`]);
  await stack.must("config", "set-all", ...values);
  const [importing = "", previewing = ""] = told.next.slice(-2).map((command) => command.replace(/^pulumi /, ""));
  const imported = await stack.must(...importing.split(" "));
  expect(imported).toContain("= 40 imported");
  expect(imported).not.toContain("failed to validate");
  expect(previewing).toBe("preview --refresh");
  const preview = await stack.preview("--refresh");
  const destinations = ["Audits-own", "Data-lake", "billing-agent-destination"].map((name) => `update ${name}`);
  // What a service never shows cannot be compared before it was set once.
  expect(changes(preview)).toEqual(destinations);
  for (const name of ["Audits-own", "Data-lake"]) expect(rowOf(preview, name)).toContain("in place: credentials");

  // The first preview has checked the types of the program.
  stack.env.PULUMI_NODEJS_TRANSPILE_ONLY = "true";

  // Without a refresh the secrets of deployments are not in state: they are compared with the service, and are equal.
  const revisions = await latest();
  await world.requests();
  const up = await stack.up();
  expect(up).toMatchObject({ code: 0 });
  expect(
    (await world.requests()).filter((line) => /^(PATCH|PUT|DELETE|POST .*[^h]$)/.test(line)).map(anonymous),
  ).toEqual(Array(3).fill("PATCH /api/v1/bulk-exports/destinations/{id}"));
  expect(await latest()).toEqual(revisions);
  const last = await stack.preview("--expect-no-changes");
  expect(last).toMatchObject({ code: 0 });
  expect(steps(last)).toEqual([]);
  expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
  for (const secret of secrets()) expect(await stack.kept()).not.toContain(secret);
});

/** What a preview would do; that it reads everything anew is no change. */
const changes = (run: Run) =>
  steps(run)
    .filter((step) => !step.startsWith("refresh "))
    .sort();
const anonymous = (line: string) => line.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "{id}");
const secrets = () => [SECRET, world.emulator.bucket.accessKeyId, world.emulator.bucket.secretAccessKey, API_KEY];
const latest = async () => (await world.deployments()).map(({ id, latest_revision_id }) => [id, latest_revision_id]);
