/** `agentgraph adopt` against an emulator: what it adopts, what it skips and why, and what it never does. */
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
  const response = await platform.call(method, path, body, { "x-api-key": KEY, "x-tenant-id": tenant });
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
}

async function adopt(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const settings = {
    ...{ AGENTGRAPH_CONTROL_PLANE_URL: platform.url, AGENTGRAPH_TRACING_API_URL: platform.url },
    ...{ AGENTGRAPH_API_KEY: KEY, AGENTGRAPH_TENANT_ID: tenant },
  };
  const ended = await agentgraph({ args: ["adopt", ...args], cwd: folder, env: { ...settings, ...env } });
  for (const output of [ended.stdout, ended.stderr])
    for (const secret of [SECRET, KEY]) expect(output).not.toContain(secret);
  return ended;
}

interface Told {
  resources: { kind: string; id: string; title: string; name: string }[];
  left: { kind: string; title: string; why: string }[];
  notes: string[];
  secrets: { key: string }[];
}
async function runJson(...args: string[]): Promise<Told> {
  const ended = await adopt([...args, "--json"]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ended.stdout);
}
/** The command in README.md, run in a shell with a fake `pulumi`, prompts for each secret once. */
async function expectPrompt(page: string, secrets: Told["secrets"]): Promise<void> {
  const [command = ""] = /^for key in [^`]*done$/m.exec(page) ?? [];
  const { stdout } = await run("sh", ["-c", `pulumi() { echo "asked: $*"; }\n${command}`]);
  const prompts = stdout.split("\n").filter((line) => line.startsWith("asked: "));
  expect(prompts).toEqual(secrets.map(({ key }) => `asked: config set --secret ${key}`));
}
const namesOf = ({ resources }: Told) => resources.map(({ kind, name }) => `${kind} ${name}`).sort();
const read = (file: string, out = "adopted") => readFile(join(folder, out, file), "utf8");

it("adopt finds every deployment on a server with seven per page", async () => {
  await start();
  const names = Array.from({ length: 45 }, (_, number) => `agent-${number}`);
  const content = { source_revision_config: { image_uri: "registry.example.com/agent:1" } };
  await platform.emulator.seed({ deployments: names.map((name) => ({ name, ...content })) });
  platform = { ...platform, ...(await startPagingProxy(platform, { maxPageSize: 7 })) };
  const { resources } = await runJson("--only", "deployments");
  expect(resources.map(({ title }) => title).sort()).toEqual(names.toSorted());
});

describe("for the resources of a team, adopt", () => {
  let estate: Awaited<ReturnType<typeof plantEstate>>;
  beforeEach(async () => {
    await start();
    estate = await plantEstate(platform.emulator, call);
  });

  it("prints what it found, skipped and wrote, and the next steps", async () => {
    const { code, stdout } = await adopt(["--name-contains", "billing", "--out", "some where"]);
    expect(code).toBe(0);
    expect(stdout).toBe(`Found 1 deployment, 1 destination, 1 export, 2 schedules.

Skipped:
  export billing-agent-2026-01-15: it has completed (--include-ended)

Files in some where: index.ts, import.json, README.md, package.json,
tsconfig.json, Pulumi.yaml
Nothing was changed on the server, and no secret was written.

Next steps, in that folder, after npm install and pulumi stack init:
  1. pulumi config set --secret billingAgentProxyToken  (and 4 more, listed in README.md)
  2. pulumi import -f import.json --generate-code=false --protect=false --yes
  3. pulumi preview --refresh
`);
    const page = await read("README.md", "some where");
    expect(page).toContain("declares 1 deployment, 1 destination, 1 export, 2 schedules, as they were when");
    expect(page).toContain(
      "For each of these deployments whose latest revision failed, it also retries that revision once",
    );
    expect(page).toContain("| `billingAgentModelApiKey` | `billing-agent` | `secrets.MODEL_API_KEY` |");
    await expectPrompt(page, (await runJson("--name-contains", "billing", "--out", "other")).secrets);
    expect(page).toContain("- export `billing-agent-2026-01-15`: it has completed");
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

  it("adopts only the kinds and deployments that the options name", async () => {
    const kinds = await runJson("--only", "schedules", "--deployments", "research-0");
    expect(namesOf(kinds)).toEqual(["schedules research-0-every-1h"]);
    const both = await runJson("--only", "deployments,exports", "--deployments", "small-2, mail-agent", "--force");
    expect(namesOf(both)).toEqual(["deployments mail-agent", "deployments small-2", "exports small-2-2026-01-15"]);
  });

  it("adopts completed exports with --include-ended, and never failed or canceled ones", async () => {
    const { resources, left } = await runJson("--only", "exports", "--include-ended");
    expect(resources.map(({ id }) => id)).toContain(estate.done);
    expect(left).toEqual([
      expect.objectContaining({
        title: expect.stringMatching(/^project-/),
        why: "it ended CANCELLED; declaring it would start it again",
      }),
    ]);
  });

  it("adopts threads of a deployment by metadata", async () => {
    const { resources } = await runJson("--only", "threads", "--deployment", "small-1", "--metadata", "tier=silver");
    expect(resources).toEqual([
      expect.objectContaining({ kind: "threads", name: expect.stringMatching(/^thread-[0-9a-f]{8}$/) }),
    ]);
    const program = await read("index.ts");
    expect(program).toContain('tier: "silver"');
    expect(program).toContain(`deploymentId: "${estate.deployments[1]}"`);
  });

  it("notes that no stack is selected, but not in README.md", async () => {
    await writeFile(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    await writeFile(join(folder, "pulumi"), "#!/bin/sh\necho 'error: no stack selected; please use' >&2\nexit 1\n", {
      mode: 0o755,
    });
    const PATH = `${folder}:${process.env.PATH}`;
    const { stdout } = await adopt(["--only", "destinations"], { PATH });
    expect(stdout).toContain(
      "Found 3 destinations.\nNote: no stack is selected, so only environment variables are used.\n",
    );
    expect(stdout).not.toContain("Skipped");
    expect(await read("README.md")).not.toContain("no stack");
    const json = await adopt(["--only", "destinations", "--json", "--force"], { PATH });
    expect(JSON.parse(json.stdout).notes).toEqual(["no stack is selected, so only environment variables are used"]);
  });

  it("reads only IDs from a Terraform state", async () => {
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
    const response = JSON.stringify({ id: billing, secrets: [{ name: "A", value: SECRET }], listener_id: small });
    const state = {
      ...{ version: 4, terraform_version: "1.9.0" },
      resources: [
        object("billing", { id: "/v2/deployments", api_response: response, data: SECRET }),
        object("weekly_scores", { id: `/api/v1/bulk-exports/${schedule}` }),
        object("gone", { id: gone }),
        object("looked_up", { id: small }, "data"),
      ],
    };
    await writeFile(join(folder, "state.json"), JSON.stringify(state));
    const found = await runJson("--from-terraform", "state.json");
    expect(namesOf(found)).toEqual(["deployments billing-agent", "schedules weekly_scores"]);
    expect(found.notes).toEqual([
      `Not found on this server as a deployment, destination, export or schedule: restapi_object.gone (ID ${gone}).`,
    ]);
    const { notes } = await runJson("--from-terraform", "state.json", "--only", "deployments", "--out", "some");
    expect(notes).toEqual([
      `Not found among the requested resources: restapi_object.weekly_scores (ID ${schedule}), restapi_object.gone (ID ${gone}).`,
    ]);
    const page = await read("README.md");
    expect(page).toContain(
      "terraform state rm 'restapi_object.billing'\nterraform state rm 'restapi_object.weekly_scores'",
    );
    for (const file of await readdir(join(folder, "adopted"))) expect(await read(file)).not.toContain(SECRET);
  });

  it("declares a dependency on its own package from the file that it was installed from", async () => {
    const dependencies = { "pulumi-agentgraph": "file:packages/pulumi-agentgraph-0.1.0.tgz" };
    await writeFile(join(folder, "package.json"), JSON.stringify({ dependencies }));
    await runJson("--only", "destinations", "--out", "agents/all");
    expect(JSON.parse(await read("package.json", "agents/all")).dependencies["pulumi-agentgraph"]).toBe(
      "file:../../packages/pulumi-agentgraph-0.1.0.tgz",
    );
  });

  it("overwrites no files without --force, and keeps an existing project", async () => {
    await mkdir(join(folder, "mine"));
    const userFiles = {
      "Pulumi.yaml": "name: mine\nruntime: nodejs\n",
      "package.json": "{}",
      "exports.ts": "// mine\n",
    };
    for (const [name, text] of Object.entries(userFiles)) await writeFile(join(folder, "mine", name), text);
    const refused = await adopt(["--out", "mine"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("already contains exports.ts. Nothing was written.");
    expect((await readdir(join(folder, "mine"))).sort()).toEqual(Object.keys(userFiles).sort());

    await platform.emulator.journal.clear();
    await writeFile(join(folder, "mine", "index.ts"), "// mine\n");
    expect(await adopt(["--out", "mine"])).toMatchObject({ code: 2 });
    expect(platform.requests()).toEqual([]);

    expect(await adopt(["--out", "mine", "--force"])).toMatchObject({ code: 0 });
    expect(await read("exports.ts", "mine")).toContain("new agentgraph.BulkExport(");
    expect(await read("package.json", "mine")).toBe("{}");
    // An existing package may be compiled in another way, or not at all.
    expect(await readdir(join(folder, "mine"))).not.toContain("tsconfig.json");
    expect(await read("Pulumi.yaml", "mine")).toBe(userFiles["Pulumi.yaml"]);
  });
});

it("adopt skips deployments of other Pulumi programs, and those that are being deleted", async () => {
  await start();
  const value = "acme/urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentgraph:Deployment::agent";
  const mark = { name: "PULUMI_RESOURCE", value };
  const image = { source_revision_config: { image_uri: "registry.example.com/agent:1" } };
  await platform.emulator.seed({
    deployments: [
      { name: "theirs", ...image, secrets: [mark] },
      { name: "odd", ...image, secrets: [{ ...mark, value: "someone" }] },
      { name: "going", ...image, status: "AWAITING_DELETE" },
      { name: "free", ...image },
    ],
  });
  const { left, ...found } = await runJson();
  expect(namesOf(found as Told)).toEqual(["deployments free"]);
  expect(left.map(({ title, why }) => `${title}: ${why}`).sort()).toEqual([
    "going: it is being deleted",
    "odd: managed by someone (adopt it with --include-owned)",
    "theirs: managed by agent in stack dev of project shop (adopt it with --include-owned)",
  ]);
  expect(namesOf(await runJson("--include-owned", "--force"))).toEqual([
    ...["deployments free", "deployments odd", "deployments theirs"],
  ]);
  const { resources } = JSON.parse(await read("import.json"));
  expect(resources.at(-1).outputs).toMatchObject({ __owner: mark.value, __server: { origin: platform.url, tenant } });
  expect(await read("index.ts")).not.toContain("PULUMI_RESOURCE");
});

it("adopt skips a deployment whose values are not valid inputs, with the reason", async () => {
  await start();
  await platform.emulator.seed({ deployments: [{ name: "half", source: "internal_source", revision_status: null }] });
  const ended = await adopt([]);
  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain("Nothing to adopt. No files were written.");
  expect(ended.stdout).toMatch(/deployment half: its values are not valid inputs: sourceRevisionConfig/);
  expect(await readdir(folder)).toEqual([]);
});

it("adopt writes no password to disk that is in an input which is not secret", async () => {
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
  const found = await runJson();
  expect(found.left).toEqual([
    expect.objectContaining({
      title: "cloned",
      why: "sourceConfig.repoUrl contains a password, which would be written to disk in plain text",
    }),
  ]);
  expect(found.secrets.map(({ key }) => key)).toEqual(["besideDbPassword", "besideUpstream"]);
  const written = await Promise.all(["index.ts", "import.json", "README.md"].map((file) => read(file)));
  for (const text of written) expect(text).not.toContain(SECRET);
  expect(written[0]).toContain('value: config.requireSecret("besideDbPassword")');
  expect(written[0]).toContain('{ name: "MONKEY", value: "bars" }');
});

it("adopt names a thread copy of an interrupted run whose resource is no longer in the program", async () => {
  await start();
  const { deployments: [deploymentId = ""] = [] } = await platform.emulator.seed({
    deployments: [{ name: "support-agent", revision_status: "DEPLOYED" }],
  });
  const inStack = (name: string) =>
    new Stack(platform, { kind: "Thread", name, config: { apiKey: KEY, tenantId: tenant } });
  const [source, copy] = [inStack("source"), inStack("copy")];
  await source.up({ deploymentId, metadata: { graph_id: "echo" } });
  // State was never written, so only the server knows the copy.
  await copy.up({ deploymentId, copyFrom: source.state?.id });

  const { code, stdout } = await adopt(["--only", "threads", "--deployment", "support-agent", "--json"]);
  expect(code).toBe(1);
  const { left, files } = JSON.parse(stdout);
  expect(files).toEqual([]);
  const why = "it has the ownership marker of a Pulumi resource (--include-owned)";
  expect(left).toHaveLength(2);
  expect(left).toContainEqual(expect.objectContaining({ kind: "threads", id: copy.state?.id, why }));
});

it("adopt notes that the first update creates revisions if the server does not return the values of secrets", async () => {
  await start();
  const secrets = [{ name: "TOKEN", value: "*****" }];
  await platform.emulator.seed({
    deployments: [{ name: "agent", secrets, source_revision_config: { image_uri: "registry.example.com/agent:1" } }],
  });
  const { notes, secrets: keys } = await runJson();
  expect(keys).toEqual([{ key: "agentToken", resource: "agent", path: "secrets.TOKEN" }]);
  expect(notes).toEqual([expect.stringMatching(/does not return the values of secrets.*creates a revision/)]);
  // As a refresh reads it, so the preview shows a certain revision, not a possible one.
  expect(JSON.parse(await read("import.json")).resources[0].inputs.secrets).toEqual({ TOKEN: "" });
});

it("adopt notes the kinds that a server cannot list", async () => {
  await start({ interfaceOnly: true });
  await platform.emulator.seed({
    deployments: [{ name: "agent", source_revision_config: { image_uri: "r.example/a:1" } }],
  });
  const found = await runJson();
  expect(namesOf(found)).toEqual(["deployments agent"]);
  expect(found.notes.sort()).toEqual([
    "This server cannot list destinations, so none were adopted.",
    "This server cannot list exports, so none were adopted.",
  ]);
});

it("adopt skips exports without the settings of the tracing API, and fails if --only names them", async () => {
  await start();
  await platform.emulator.seed({
    deployments: [{ name: "agent", source_revision_config: { image_uri: "r.example/a:1" } }],
  });
  const without = { AGENTGRAPH_TRACING_API_URL: "" };
  const all = await adopt([], without);
  expect(all.code).toBe(0);
  expect(all.stdout).toContain("Exports and destinations were skipped. Settings are missing: tracingApiUrl");
  const prompts = await adopt(["--only", "exports", "--out", "other"], without);
  expect(prompts).toMatchObject({ code: 1, stdout: "" });
  expect(prompts.stderr).toContain("Settings are missing: tracingApiUrl");
});

it.each([
  [["--only", "deployment"], 'did you mean "deployments"?'],
  [["--threads"], "To adopt threads, specify --deployment <name or ID>."],
  [["--deployments", "nobody"], "--deployments: no deployment nobody exists. Existing deployments: agent."],
  [["--deployment", "nobody"], "--deployment: no deployment nobody exists. Existing deployments: agent."],
  [["--deployment", "agent", "--metadata", "tier"], 'Invalid value "tier"; expected key=value.'],
  [["--from-terraform", "nothing.json"], "nothing.json: the file does not exist."],
  [["--from-terraform", "package.json"], "package.json is not a Terraform state of version 4."],
  [["--stack", "dev"], "--stack: no Pulumi.yaml in"],
])("adopt %j fails and says what to write instead", async (args, says) => {
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

it("adopt redacts the API key and control characters from the error of a server", async () => {
  await start();
  const basic = Buffer.from(`user:${KEY}`).toString("base64");
  const detail = `refused ${basic} ${encodeURIComponent(KEY)} \u001b[31mred\r\n::error::forged`;
  await platform.emulator.faults.add({ path: "/v2/deployments", times: 9, status: 403, body: { detail } });
  const { code, stderr } = await adopt([]);
  expect(code).toBe(1);
  expect(stderr).toContain("403: refused dXNlcj[secret] [secret] red\n: :error::forged\n");
});
