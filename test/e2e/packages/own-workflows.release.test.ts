/**
 * The shell steps of this repository's workflows that can run here, in a copy of the checkout. Not run: steps that
 * publish, and those that install tools of the runner.
 */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { cp, link, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import emulatorPackage from "../../../emulator/package.json";
import pkg from "../../../package.json";
import { textOf } from "../../docs/support/markdown";
import { freePorts } from "../../support/servers/ports";
import { describeWithTools } from "../../support/tools";
import { ROOT } from "../support/packages/checkout";
import { npmSettings } from "../support/packages/npm-settings";
import { pluginExecutable, pluginFolder } from "../support/packages/plugin";
import { World } from "../support/world";

// The executables of six platforms.
jest.setTimeout(1_200_000);

const world = new World();
const EMULATOR = join(ROOT, "emulator/dist/main.js");

interface Step {
  name?: string;
  run?: string;
  "working-directory"?: string;
}

/** Returns the shell steps of a job, by name or command. @throws if one of those to skip does not exist. */
function stepsOf(workflow: string, job: string, skipped: readonly string[]): Step[] {
  const { steps } = parse(textOf(`.github/workflows/${workflow}.yml`)).jobs[job] as { steps: Step[] };
  const shellSteps = steps.filter(({ run }) => run !== undefined);
  const nameOf = ({ name, run = "" }: Step) => name ?? run;
  for (const name of skipped) expect(shellSteps.map(nameOf)).toContain(name);
  return shellSteps.filter((step) => !skipped.includes(nameOf(step)));
}

/** Runs steps as the runner does: each in a separate shell that stops at the first error. */
async function runSteps(folder: string, steps: readonly Step[], env: Record<string, string>): Promise<string> {
  const outputs: string[] = [];
  for (const { run = "", "working-directory": directory = "." } of steps) {
    const options = { cwd: join(folder, directory), env: { ...process.env, ...env }, maxBuffer: 1e8 };
    const { stdout } = await promisify(execFile)("bash", ["-eo", "pipefail", "-c", run], options);
    outputs.push(stdout);
  }
  return outputs.join("");
}

/** Copies the tracked files and the build output, as after `npm ci` and a build. */
async function copyCheckout(name: string): Promise<string> {
  const folder = await world.createFolder(name);
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const built = await Promise.all(["dist", "emulator/dist"].map((path) => filesIn(path)));
  const copied = [...listed.split("\0").filter(Boolean), ...built.flat()];
  const place = async (path: string, method: (from: string, to: string) => Promise<void>) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await method(join(ROOT, path), join(folder, path));
  };
  const copy = (from: string, to: string) => cp(from, to, { preserveTimestamps: true });
  for (const path of new Set(copied)) await place(path, copy);
  // Another test may be building one of them again. The executable is large.
  for (const path of await stamps()) await place(path, copy).catch(ignoreMissing);
  for (const path of await filesIn("build")) await place(path, link).catch(ignoreMissing);
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

const ignoreMissing = (error: NodeJS.ErrnoException) => assert.equal(error.code, "ENOENT");

async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
}
const stamps = async () => (await filesIn(".agentgraph")).filter((path) => /^\.agentgraph\/built-[\w.-]+$/.test(path));

describeWithTools("the release workflow", ["python"], ({ python }) => {
  test("builds all files of a release, with checksums and notes", async () => {
    await Promise.all([pluginFolder(), pluginExecutable()]);
    const folder = await copyCheckout("release");
    const env = {
      GITHUB_REF_NAME: `v${pkg.version}`,
      GITHUB_SERVER_URL: "https://git.example.com",
      GITHUB_REPOSITORY: "team/agents",
      // What the scripts of the packages build exists already.
      npm_config_ignore_scripts: "true",
      PATH: [dirname(python), process.env.PATH].join(delimiter),
    };
    for (const job of ["version", "packages"])
      await runSteps(folder, stepsOf("release", job, job === "version" ? [] : ["npm ci"]), env);
    const unpublished = [
      "Check that npm can publish without a token",
      "Publish the npm packages",
      "Create the release",
    ];
    await runSteps(folder, stepsOf("release", "publish", unpublished), env);

    const release = join(folder, "release");
    const { version } = pkg;
    const plugin = (system: string) => `pulumi-resource-agentgraph-v${version}-${system}.tar.gz`;
    expect((await readdir(release)).sort()).toEqual(
      [
        ...["SHA256SUMS", "INSTALL.md", `pulumi-agentgraph-${version}.tgz`, `pulumi-agentgraph-native-${version}.tgz`],
        ...[`pulumi-agentgraph-emulator-${version}.tgz`, "pulumi-agentgraph.cdx.json"],
        ...["pulumi-agentgraph-emulator.cdx.json", `pulumi_agentgraph-${version}-py3-none-any.whl`, plugin("node")],
        ...["linux", "darwin", "windows"]
          .flatMap((system) => [`${system}-amd64`, `${system}-arm64`])
          .flatMap((platform) => [plugin(platform), `agentgraph-emulator-v${version}-${platform}.tar.gz`]),
      ].sort(),
    );
    expect(await readdir(join(folder, "wheels"))).toEqual([`pulumi_agentgraph-${version}-py3-none-any.whl`]);
    expect(textOf("CHANGELOG.md")).toContain((await readFile(join(folder, "notes.md"), "utf8")).trim());
    for (const { name, dependencies } of [pkg, emulatorPackage]) {
      const sbom = JSON.parse(await readFile(join(release, `${name}.cdx.json`), "utf8"));
      expect(sbom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name, version } } });
      const names: string[] = sbom.components.map((component: { name: string }) => component.name);
      expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
      expect(names.filter((other) => other in pkg.devDependencies && !(other in dependencies))).toEqual([]);
      const args = ["-xzOf", join(release, `${name}-${version}.tgz`), "package/package.json"];
      const manifest = JSON.parse(execFileSync("tar", args, { encoding: "utf8" }));
      expect(manifest.repository.url).toBe("git+https://git.example.com/team/agents.git");
    }
    // On a new machine this test downloads the tools of all platforms.
  }, 1_200_000);
});

test("the steps of the job for Windows deploy the quickstart with the packages", async () => {
  const folder = await copyCheckout("windows");
  const { env } = parse(textOf(".github/workflows/ci.yml")).jobs.windows;
  const home = await world.createFolder("home");
  const more = { HOME: home, PULUMI_HOME: join(home, ".pulumi"), PULUMI_SKIP_UPDATE_CHECK: "true" };
  const npm = { ...(await npmSettings()), npm_config_prefer_offline: "true" };
  const skipped = ["npm ci", "choco install pulumi --yes --no-progress"];
  const stop = () => promisify(execFile)(process.execPath, [EMULATOR, "stop", "--data", join(folder, "program/data")]);
  const steps = stepsOf("ci", "windows", skipped);
  const port = { EMULATOR_PORT: String(await freePorts()) };
  const output = await runSteps(folder, steps, { ...env, ...more, ...npm, ...port }).finally(stop);
  expect(output).toContain("Nothing to fix.");
  expect(output).toContain("4 created");
  expect(output).toContain("4 deleted");
});
