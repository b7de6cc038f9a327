/**
 * `agentgraph adopt` for the resources of a team: the program, the imports, the secrets and the page that it writes.
 */
import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type AdoptReport, adopt, call, folder, namesOf, platform, read, runJson, start } from "../support/adopt";
import { plantEstate, SECRET } from "../support/adopt-estate";

const run = promisify(execFile);
/** The command in README.md, run in a shell with a fake `pulumi`, prompts for each secret once. */
async function expectPrompt(page: string, secrets: AdoptReport["secrets"]): Promise<void> {
  const [command = ""] = /^for key in [^`]*done$/m.exec(page) ?? [];
  const { stdout } = await run("sh", ["-c", `pulumi() { echo "asked: $*"; }\n${command}`]);
  const prompts = stdout.split("\n").filter((line) => line.startsWith("asked: "));
  expect(prompts).toEqual(secrets.map(({ key }) => `asked: config set --secret ${key}`));
}

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

Caution: The server does not show whether another stack manages these:
destination Data-lake, export billing-agent-2026-01-15, schedule
billing-agent-every-24h, schedule billing-agent-every-24h-2. Before the import,
make sure that none does, or remove them from the program and from import.json:
when two stacks manage an export, the destroy of one ends it for both.

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
    expect(page).toMatch(/^## Check before the import\n\n- The server does not show whether another stack/m);
    expect(page).toContain(
      "For each of these deployments whose latest revision failed, it also retries that revision once",
    );
    expect(page).toContain("After the import, move the others to `environment`, with their values in plain text.");
    expect(page).toContain("| `billingAgentModelApiKey` | `billing-agent` | `secrets.MODEL_API_KEY` |");
    await expectPrompt(page, (await runJson("--name-contains", "billing", "--out", "other")).secrets);
    expect(page).toContain("- export `billing-agent-2026-01-15`: it has completed");
    expect(JSON.parse(await read("package.json", "some where"))).toMatchObject({
      name: "some-where",
      dependencies: { "pulumi-agentgraph": expect.stringMatching(/^file:\.\./), "@pulumi/pulumi": expect.any(String) },
      devDependencies: { typescript: expect.any(String) },
    });
    const program = await read("index.ts", "some where");
    expect(program).toContain('secrets: {\n    MODEL_API_KEY: config.requireSecret("billingAgentModelApiKey"),');
    for (const filled of ["cpuLimit", "queueMemoryMb", "includeBucketInPrefix", "Parquet", "zstandard"]) {
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
    const { resources, skipped } = await runJson("--only", "exports", "--include-ended");
    expect(resources.map(({ id }) => id)).toContain(estate.done);
    expect(skipped).toEqual([
      expect.objectContaining({
        title: expect.stringMatching(/^project-/),
        reason: "it ended CANCELLED; declaring it would start it again",
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
      expect.stringMatching(
        `^Not found on this server as a deployment, .* or .+: restapi_object\\.gone \\(ID ${gone}\\)\\.$`,
      ),
    ]);
    const { notes } = await runJson("--from-terraform", "state.json", "--only", "deployments", "--out", "some");
    expect(notes).toEqual([
      `Not found among the requested resources: restapi_object.weekly_scores (ID ${schedule}), ` +
        `restapi_object.gone (ID ${gone}).`,
    ]);
    const page = await read("README.md");
    expect(page).toContain(
      "terraform state rm 'restapi_object.billing'\nterraform state rm 'restapi_object.weekly_scores'",
    );
    for (const file of await readdir(join(folder, "adopted"))) expect(await read(file)).not.toContain(SECRET);
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

    await platform.emulator.requestLog.clear();
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
