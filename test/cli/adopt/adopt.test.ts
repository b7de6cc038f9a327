/** The command adopt against an emulator: what it takes, what it leaves out and why, and what it never does. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { EmulatorOptions } from "../../../emulator/src";
import { startPagingProxy } from "../../support/paging-proxy";
import { type Platform, startPlatform } from "../../support/platform";
import { Stack } from "../../support/stack";
import { plantEstate, SECRET, tenant } from "../support/adopt-estate";
import { agentgraph, type Ended } from "../support/command";

const run = promisify(execFile);
const KEY = "the-key-of-adopt";
let folder: string;
let platform: Platform;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentgraph-adopt-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function start(options: EmulatorOptions = {}): Promise<void> {
  platform = await startPlatform({ apiKey: KEY, ...options });
}

async function call(method: string, path: string, body?: object): Promise<{ id: string }> {
  const answer = await platform.call(method, path, body, { "x-api-key": KEY, "x-tenant-id": tenant });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function adopt(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const settings = {
    ...{ AGENTGRAPH_CONTROL_PLANE_URL: platform.url, AGENTGRAPH_TRACING_API_URL: platform.url },
    ...{ AGENTGRAPH_API_KEY: KEY, AGENTGRAPH_TENANT_ID: tenant },
  };
  const ended = await agentgraph({ args: ["adopt", ...args], cwd: folder, env: { ...settings, ...env } });
  for (const said of [ended.stdout, ended.stderr])
    for (const secret of [SECRET, KEY]) expect(said).not.toContain(secret);
  return ended;
}

interface Told {
  resources: { kind: string; id: string; title: string; name: string }[];
  left: { kind: string; title: string; why: string }[];
  notes: string[];
  secrets: { key: string }[];
}
async function told(...args: string[]): Promise<Told> {
  const ended = await adopt([...args, "--json"]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ended.stdout);
}
/** The page's command, run in a shell that has a `pulumi` of its own, asks for each secret once. */
async function asksFor(page: string, secrets: Told["secrets"]): Promise<void> {
  const [command = ""] = /^for key in [^`]*done$/m.exec(page) ?? [];
  const { stdout } = await run("sh", ["-c", `pulumi() { echo "asked: $*"; }\n${command}`]);
  const asked = stdout.split("\n").filter((line) => line.startsWith("asked: "));
  expect(asked).toEqual(secrets.map(({ key }) => `asked: config set --secret ${key}`));
}
const namesOf = ({ resources }: Told) => resources.map(({ kind, name }) => `${kind} ${name}`).sort();
const read = (file: string, out = "adopted") => readFile(join(folder, out, file), "utf8");

it("finds every deployment on a server whose pages hold seven", async () => {
  await start();
  const names = Array.from({ length: 45 }, (_, number) => `agent-${number}`);
  const content = { source_revision_config: { image_uri: "registry.example.com/agent:1" } };
  await platform.emulator.seed({ deployments: names.map((name) => ({ name, ...content })) });
  platform = { ...platform, ...(await startPagingProxy(platform, { maxPageSize: 7 })) };
  const { resources } = await told("--only", "deployments");
  expect(resources.map(({ title }) => title).sort()).toEqual(names.toSorted());
});

describe("of what a team has", () => {
  let estate: Awaited<ReturnType<typeof plantEstate>>;
  beforeEach(async () => {
    await start();
    estate = await plantEstate(platform.emulator, call);
  });

  it("says in words what was found, what was left out, what was written, and what to do next", async () => {
    const { code, stdout } = await adopt(["--name-contains", "billing", "--out", "some where"]);
    expect(code).toBe(0);
    expect(stdout).toBe(`Found 1 deployment, 1 destination, 1 export, 2 schedules.

Left out:
  export billing-agent-2026-01-15: it has completed, and is history (--include-ended)

Written to some where: index.ts, import.json, README.md, package.json, tsconfig.json, Pulumi.yaml
Nothing was changed on the service, and no secret was written.

Next, in that folder, with a stack (npm install, pulumi stack init):
  1. pulumi config set --secret billingAgentProxyToken  (and 4 others: README.md has the commands)
  2. pulumi import -f import.json --generate-code=false --protect=false --yes
  3. pulumi preview --refresh
`);
    const page = await read("README.md", "some where");
    expect(page).toContain("declares 1 deployment, 1 destination, 1 export, 2 schedules as found on the service");
    expect(page).toContain(
      "one new attempt, with the same content, for each of these deployments whose newest revision had failed",
    );
    expect(page).toContain("| `billingAgentModelApiKey` | `billing-agent` | `secrets.MODEL_API_KEY` |");
    await asksFor(page, (await told("--name-contains", "billing", "--out", "other")).secrets);
    expect(page).toContain("- export `billing-agent-2026-01-15`: it has completed, and is history");
    expect(JSON.parse(await read("package.json", "some where"))).toMatchObject({
      name: "some-where",
      dependencies: { "pulumi-agentgraph": expect.stringMatching(/^\^\d/), "@pulumi/pulumi": expect.any(String) },
      devDependencies: { typescript: expect.any(String) },
    });
    const program = await read("index.ts", "some where");
    expect(program).toContain('secrets: {\n    MODEL_API_KEY: config.requireSecret("billingAgentModelApiKey"),');
    for (const filled of ["cpuLimit", "queueMemoryMb", "includeBucketInPrefix", "Parquet", "zstandard", "v2_beta"]) {
      expect(program).not.toContain(filled);
    }
    for (const file of await readdir(join(folder, "some where"))) {
      expect(await read(file, "some where")).not.toContain(SECRET);
    }
  });

  it("keeps to the kinds and the deployments that were asked for", async () => {
    const kinds = await told("--only", "schedules", "--deployments", "research-0");
    expect(namesOf(kinds)).toEqual(["schedules research-0-every-1h"]);
    const both = await told("--only", "deployments,exports", "--deployments", "small-2, mail-agent", "--force");
    expect(namesOf(both)).toEqual(["deployments mail-agent", "deployments small-2", "exports small-2-2026-01-15"]);
  });

  it("takes completed exports when they are asked for, and never one that failed or was cancelled", async () => {
    const { resources, left } = await told("--only", "exports", "--include-ended");
    expect(resources.map(({ id }) => id)).toContain(estate.done);
    expect(left).toEqual([
      expect.objectContaining({
        title: expect.stringMatching(/^project-/),
        why: "it ended CANCELLED, and would be run again",
      }),
    ]);
  });

  it("finds threads of a deployment by their metadata", async () => {
    const { resources } = await told("--only", "threads", "--deployment", "small-1", "--metadata", "tier=silver");
    expect(resources).toEqual([
      expect.objectContaining({ kind: "threads", name: expect.stringMatching(/^thread-[0-9a-f]{8}$/) }),
    ]);
    const program = await read("index.ts");
    expect(program).toContain('tier: "silver"');
    expect(program).toContain(`deploymentId: "${estate.deployments[1]}"`);
  });

  it("says what settings were read where no stack is selected, and leaves that out of the page", async () => {
    await writeFile(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    await writeFile(join(folder, "pulumi"), "#!/bin/sh\necho 'error: no stack selected; please use' >&2\nexit 1\n", {
      mode: 0o755,
    });
    const PATH = `${folder}:${process.env.PATH}`;
    const { stdout } = await adopt(["--only", "destinations"], { PATH });
    expect(stdout).toContain(
      "Found 3 destinations.\nNote: no stack is selected here, so only the environment is read.\n",
    );
    expect(stdout).not.toContain("Left out");
    expect(await read("README.md")).not.toContain("no stack");
    const json = await adopt(["--only", "destinations", "--json", "--force"], { PATH });
    expect(JSON.parse(json.stdout).notes).toEqual(["no stack is selected here, so only the environment is read"]);
  });

  it("takes from a Terraform state its ids alone", async () => {
    const [billing, small] = estate.deployments;
    const jobs = (await call("GET", "/api/v1/bulk-exports")) as unknown as {
      id: string;
      interval_hours: number | null;
    }[];
    const schedule = jobs.find(({ interval_hours }) => interval_hours === 168)?.id;
    const gone = "77777777-7777-4777-8777-777777777777";
    const object = (name: string, attributes: object, mode = "managed") => ({
      ...{ mode, type: "restapi_object", name, provider: "p" },
      instances: [{ attributes }],
    });
    const answer = JSON.stringify({ id: billing, secrets: [{ name: "A", value: SECRET }], listener_id: small });
    const state = {
      ...{ version: 4, terraform_version: "1.9.0" },
      resources: [
        object("billing", { id: "/v2/deployments", api_response: answer, data: SECRET }),
        object("weekly_scores", { id: `/api/v1/bulk-exports/${schedule}` }),
        object("gone", { id: gone }),
        object("looked_up", { id: small }, "data"),
      ],
    };
    await writeFile(join(folder, "state.json"), JSON.stringify(state));
    const found = await told("--from-terraform", "state.json");
    expect(namesOf(found)).toEqual(["deployments billing-agent", "schedules weekly_scores"]);
    expect(found.notes).toEqual([
      `restapi_object.gone (id ${gone}) is not on this service: it is no deployment, destination, export or schedule there.`,
    ]);
    const { notes } = await told("--from-terraform", "state.json", "--only", "deployments", "--out", "some");
    expect(notes).toEqual([
      `restapi_object.weekly_scores (id ${schedule}), restapi_object.gone (id ${gone}): not found among what was asked for.`,
    ]);
    const page = await read("README.md");
    expect(page).toContain(
      "terraform state rm 'restapi_object.billing'\nterraform state rm 'restapi_object.weekly_scores'",
    );
    for (const file of await readdir(join(folder, "adopted"))) expect(await read(file)).not.toContain(SECRET);
  });

  it("names its own package as it was installed, since from a file it is in no registry", async () => {
    const dependencies = { "pulumi-agentgraph": "file:packages/pulumi-agentgraph-0.1.0.tgz" };
    await writeFile(join(folder, "package.json"), JSON.stringify({ dependencies }));
    await told("--only", "destinations", "--out", "agents/all");
    expect(JSON.parse(await read("package.json", "agents/all")).dependencies["pulumi-agentgraph"]).toBe(
      "file:../../packages/pulumi-agentgraph-0.1.0.tgz",
    );
  });

  it("writes over nothing, and keeps the project that is there", async () => {
    await mkdir(join(folder, "mine"));
    const mine = { "Pulumi.yaml": "name: mine\nruntime: nodejs\n", "package.json": "{}", "exports.ts": "// mine\n" };
    for (const [name, text] of Object.entries(mine)) await writeFile(join(folder, "mine", name), text);
    const refused = await adopt(["--out", "mine"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("already holds exports.ts: nothing was written.");
    expect((await readdir(join(folder, "mine"))).sort()).toEqual(Object.keys(mine).sort());

    await platform.emulator.journal.clear();
    await writeFile(join(folder, "mine", "index.ts"), "// mine\n");
    expect(await adopt(["--out", "mine"])).toMatchObject({ code: 2 });
    expect(platform.requests()).toEqual([]);

    expect(await adopt(["--out", "mine", "--force"])).toMatchObject({ code: 0 });
    expect(await read("exports.ts", "mine")).toContain("new agentgraph.BulkExport(");
    expect(await read("package.json", "mine")).toBe("{}");
    // It may be compiled in another way, or not at all.
    expect(await readdir(join(folder, "mine"))).not.toContain("tsconfig.json");
    expect(await read("Pulumi.yaml", "mine")).toBe(mine["Pulumi.yaml"]);
  });
});

it("leaves to others what is theirs, and what is going", async () => {
  await start();
  const value = "acme/urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentgraph:Deployment::agent";
  const mark = { name: "PULUMI_RESOURCE", value };
  const image = { source_revision_config: { image_uri: "registry.example.com/agent:1" } };
  await platform.emulator.seed({
    deployments: [
      { name: "theirs", ...image, secrets: [mark] },
      { name: "odd", ...image, secrets: [{ ...mark, value: "somebody" }] },
      { name: "going", ...image, status: "AWAITING_DELETE" },
      { name: "free", ...image },
    ],
  });
  const { left, ...found } = await told();
  expect(namesOf(found as Told)).toEqual(["deployments free"]);
  expect(left.map(({ title, why }) => `${title}: ${why}`).sort()).toEqual([
    "going: it is being deleted",
    "odd: it belongs to somebody (--include-owned)",
    "theirs: it belongs to stack dev of project shop, as agent (--include-owned)",
  ]);
  expect(namesOf(await told("--include-owned", "--force"))).toEqual([
    ...["deployments free", "deployments odd", "deployments theirs"],
  ]);
  const { resources } = JSON.parse(await read("import.json"));
  expect(resources.at(-1).outputs).toMatchObject({ __owner: mark.value, __server: { origin: platform.url, tenant } });
  expect(await read("index.ts")).not.toContain("PULUMI_RESOURCE");
});

it("leaves out what cannot be declared, and says why", async () => {
  await start();
  await platform.emulator.seed({ deployments: [{ name: "half", source: "internal_source", revision_status: null }] });
  const ended = await adopt([]);
  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain("Found nothing to adopt; nothing was written.");
  expect(ended.stdout).toMatch(/deployment half: it cannot be declared as it is: sourceRevisionConfig/);
  expect(await readdir(folder)).toEqual([]);
});

it("puts no password on disk that stands where the service takes it for none", async () => {
  await start();
  const agentgraph_config_path = "agentgraph.json";
  await platform.emulator.seed({
    deployments: [
      {
        name: "cloned",
        source: "githost",
        source_config: { repo_url: `https://${SECRET}@git.example/team/agent` },
        source_revision_config: { agentgraph_config_path },
      },
      {
        name: "beside",
        source_config: {
          resource_spec: {
            sidecars: [
              {
                name: "proxy",
                image: "registry.example.com/proxy:1",
                env: [
                  { name: "DB_PASSWORD", value: SECRET },
                  { name: "UPSTREAM", value: `postgres://user:${SECRET}@db/app` },
                  { name: "MONKEY", value: "bars" },
                ],
              },
            ],
          },
        },
        source_revision_config: { image_uri: "registry.example.com/agent:1" },
      },
    ],
  });
  const found = await told();
  expect(found.left).toEqual([
    expect.objectContaining({
      title: "cloned",
      why: "sourceConfig.repoUrl holds a password, which would be written to disk readable",
    }),
  ]);
  expect(found.secrets.map(({ key }) => key)).toEqual(["besideDbPassword", "besideUpstream"]);
  const written = await Promise.all(["index.ts", "import.json", "README.md"].map((file) => read(file)));
  for (const text of written) expect(text).not.toContain(SECRET);
  expect(written[0]).toContain('value: config.requireSecret("besideDbPassword")');
  expect(written[0]).toContain('{ name: "MONKEY", value: "bars" }');
});

it("names a copy that a killed run left and whose resource has since left the program", async () => {
  await start();
  const { deployments: [deploymentId = ""] = [] } = await platform.emulator.seed({
    deployments: [{ name: "support-agent", revision_status: "DEPLOYED" }],
  });
  const inStack = (name: string) =>
    new Stack(platform, { kind: "Thread", name, config: { apiKey: KEY, tenantId: tenant } });
  const [source, copy] = [inStack("source"), inStack("copy")];
  await source.up({ deploymentId, metadata: { graph_id: "echo" } });
  // State was never written, so only the server knows the copy.
  await copy.up({ deploymentId, copyFrom: source.held?.id });

  const { code, stdout } = await adopt(["--only", "threads", "--deployment", "support-agent", "--json"]);
  expect(code).toBe(1);
  const { left, files } = JSON.parse(stdout);
  expect(files).toEqual([]);
  const why = "it carries the ownership marker of a Pulumi resource (--include-owned)";
  expect(left).toHaveLength(2);
  expect(left).toContainEqual(expect.objectContaining({ kind: "threads", id: copy.held?.id, why }));
});

it("tells where the service shows no values that the first up makes revisions", async () => {
  await start();
  const secrets = [{ name: "TOKEN", value: "*****" }];
  await platform.emulator.seed({
    deployments: [{ name: "agent", secrets, source_revision_config: { image_uri: "registry.example.com/agent:1" } }],
  });
  const { notes, secrets: keys } = await told();
  expect(keys).toEqual([{ key: "agentToken", resource: "agent", path: "secrets.TOKEN" }]);
  expect(notes).toEqual([expect.stringMatching(/does not show the values of secrets.*makes a revision/)]);
  // As a refresh reads it. So a preview says that there will be a revision, and not that it depends.
  expect(JSON.parse(await read("import.json")).resources[0].inputs.secrets).toEqual({ TOKEN: "" });
});

it("says of a service that has no lists that nothing was found there", async () => {
  await start({ interfaceOnly: true });
  await platform.emulator.seed({
    deployments: [{ name: "agent", source_revision_config: { image_uri: "r.example/a:1" } }],
  });
  const found = await told();
  expect(namesOf(found)).toEqual(["deployments agent"]);
  expect(found.notes.sort()).toEqual([
    "This service has no list of its destinations, so none was adopted.",
    "This service has no list of its exports, so none was adopted.",
  ]);
});

it("looks for exports only where it is told to, and says what it needs", async () => {
  await start();
  await platform.emulator.seed({
    deployments: [{ name: "agent", source_revision_config: { image_uri: "r.example/a:1" } }],
  });
  const without = { AGENTGRAPH_TRACING_API_URL: "" };
  const all = await adopt([], without);
  expect(all.code).toBe(0);
  expect(all.stdout).toContain("Exports and destinations were not looked for. Settings are missing: tracingApiUrl");
  const asked = await adopt(["--only", "exports", "--out", "other"], without);
  expect(asked).toMatchObject({ code: 1, stdout: "" });
  expect(asked.stderr).toContain("Settings are missing: tracingApiUrl");
});

it.each([
  [["--only", "deployment"], 'did you mean "deployments"?'],
  [["--threads"], "add --deployment with their names or ids."],
  [["--deployments", "nobody"], "--deployments: there is no deployment nobody; there are: agent."],
  [["--deployment", "nobody"], "--deployment: there is no deployment nobody; there are: agent."],
  [["--deployment", "agent", "--metadata", "tier"], '"tier" is no pair; write key=value.'],
  [["--from-terraform", "nothing.json"], "nothing.json cannot be read: it does not exist."],
  [["--from-terraform", "package.json"], "package.json is not a Terraform state of version 4."],
  [["--stack", "dev"], "there is no Pulumi.yaml in"],
])("%j is refused with what to write instead", async (args, says) => {
  await start();
  await platform.emulator.seed({
    deployments: [{ name: "agent", source_revision_config: { image_uri: "r.example/a:1" } }],
  });
  await writeFile(join(folder, "package.json"), "{}");
  const { code, stdout, stderr } = await adopt(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(says);
  expect(await readdir(folder)).toEqual(["package.json"]);
});

it("a server that repeats the API key, in whatever form, and acts in terminals is shown without both", async () => {
  await start();
  const basic = Buffer.from(`user:${KEY}`).toString("base64");
  const detail = `refused ${basic} ${encodeURIComponent(KEY)} \u001b[31mred\r\n::error::forged`;
  await platform.emulator.faults.add({ path: "/v2/deployments", times: 9, status: 403, body: { detail } });
  const { code, stderr } = await adopt([]);
  expect(code).toBe(1);
  expect(stderr).toContain("403: refused dXNlcj[secret] [secret] red\n: :error::forged\n");
});
