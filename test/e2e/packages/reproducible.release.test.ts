/**
 * Two builds of the same sources give the same files, in other folders and with other settings of the machine; and
 * `agentgraph doctor` finds a byte that changed in what a user installed.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pkg from "../../../package.json";
import { readReport } from "../../cli/support/doctor-report";
import { ROOT } from "../support/packages/checkout";
import { npmSettings } from "../support/packages/npm-settings";
import { World } from "../support/world";

// The copy builds everything, and executables on a busy machine take a minute each.
const TIMEOUT_MS = 1_500_000;
jest.setTimeout(TIMEOUT_MS);

const run = promisify(execFile);
const world = new World();
const OWN = `${process.platform}-${process.arch.replace("x64", "amd64")}`;

/** Files that two builds cannot make equal, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  [`pulumi-resource-agentgraph-v${pkg.version}-${OWN}.tar.gz`]:
    "contains compiled code, which V8 writes for its random seed, and rejects with a fixed one",
  [`agentgraph-emulator-v${pkg.version}-${OWN}.tar.gz`]: "the same",
};

/** What a release contains, with executables for the platform of the build, for another one, and signed. */
const BUILD = `
  const { ready } = await import("./scripts/setup/index.mjs");
  const { packNativeSdk, packPackages, packWheel } = await import("./scripts/release/packages.ts");
  const { packPlugin } = await import("./scripts/plugin/release.ts");
  const { packEmulators } = await import("./scripts/plugin/emulator.ts");
  const [folder, version, own] = process.argv.slice(1);
  const { env } = await ready({ cli: false });
  await packPackages(folder, env);
  await packNativeSdk(folder, env);
  await packWheel(folder, env);
  for (const platform of [own, "linux-arm64", "darwin-arm64"]) await packPlugin(folder, version, platform);
  await packEmulators(folder, version, [own]);
  const { execFileSync } = await import("node:child_process");
  execFileSync(process.execPath, ["scripts/release/sbom.ts", folder], { env });
`;

let npm: Record<string, string>;
let first: string;
let second: string;

async function build(checkout: string, out: string, umask: string, env: Record<string, string>): Promise<void> {
  const command = `umask ${umask} && exec "$0" --input-type=module -e "$1" "$2" ${pkg.version} ${OWN}`;
  await run("sh", ["-c", command, process.execPath, BUILD, out], {
    cwd: checkout,
    env: { ...process.env, ...npm, ...env },
    maxBuffer: 1e8,
  });
}

beforeAll(async () => {
  npm = { ...(await npmSettings()), npm_config_prefer_offline: "true" };
  first = await world.createFolder("first");
  second = await world.createFolder("second");
  const copy = await world.createFolder("a checkout elsewhere");
  const results = ["dist", "build", ".agentgraph", ".git"];
  for (const name of (await readdir(ROOT)).filter((one) => !results.includes(one)))
    await cp(join(ROOT, name), join(copy, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => path !== join(ROOT, "emulator/dist"),
    });
  await build(ROOT, first, "022", { TZ: "UTC", LC_ALL: "C" });
  await build(copy, second, "077", { TZ: "Asia/Kolkata", LC_ALL: "C.UTF-8" });
}, TIMEOUT_MS);

const sha256 = async (file: string) =>
  createHash("sha256")
    .update(await readFile(file))
    .digest("hex");

test("two builds in different folders, time zones, locales and modes of files are equal byte for byte", async () => {
  const names = (await readdir(first)).sort();
  expect((await readdir(second)).sort()).toEqual(names);
  expect(names.length).toBe(11);
  const different: string[] = [];
  for (const name of names)
    if ((await sha256(join(first, name))) !== (await sha256(join(second, name)))) different.push(name);
  const unexpected = different.filter((name) => !(name in DIFFERENT));
  expect(await Promise.all(unexpected.map(differencesIn))).toEqual([]);
  expect(different).toEqual(Object.keys(DIFFERENT).sort());
});

/** Returns the name of an archive, and its files that are not equal in both builds. */
async function differencesIn(archive: string): Promise<string> {
  const cwd = await world.createFolder(`differences in ${archive}`);
  const command = 'mkdir first second && tar -xf "$0" -C first && tar -xf "$1" -C second && diff -rq first second';
  const paths = [join(first, archive), join(second, archive)];
  const { stdout, stderr } = await run("sh", ["-c", command, ...paths], { cwd }).catch((differs) => differs);
  return `${archive}: ${stdout}${stderr}`;
}

test("an installed tarball has the files of its release, and a byte that changes is found", async () => {
  const project = await world.createFolder("installed");
  const quiet = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
  const tarball = join(first, `pulumi-agentgraph-${pkg.version}.tgz`);
  await run("npm", ["install", ...quiet, "--prefix", project, tarball], {
    cwd: project,
    env: { ...process.env, ...npm },
  });
  const installed = join(project, "node_modules/pulumi-agentgraph");
  const check = async () => {
    const command = [join(installed, "dist/cli/main.js"), "doctor", "--json"];
    const { stdout } = await run(process.execPath, command, { cwd: project }).catch((failed) => failed);
    return readReport(stdout).groups[0]?.checks.find(({ id }) => id === "files");
  };
  const sum = await sha256(join(installed, "files.sha256"));
  const ok = await check();
  expect(ok).toMatchObject({
    status: "ok",
    message: expect.stringMatching(`files are those of the release; .*: ${sum}$`),
  });
  // Without any code of the package.
  await run("sha256sum", ["--check", "--quiet", "files.sha256"], { cwd: installed });
  await appendFile(join(installed, "dist/provider/index.js"), " ");
  expect(await check()).toMatchObject({
    status: "fix",
    message: expect.stringMatching(/: not as in the release: dist\/provider\/index\.js \(changed\)$/),
  });
});
