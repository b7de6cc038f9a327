/**
 * Set-up and teardown of the tests that run packages as users install them: packs both packages and extracts them
 * outside of the checkout, where a file that is not published and a dependency that is not declared are missing.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { buildSources } from "./setup";

const run = promisify(execFile);
const ROOT = resolve(__dirname, "../../..");

interface Manifest {
  name: string;
  filename: string;
}

export default async function setUp(): Promise<void> {
  await buildSources();
  await run(process.execPath, ["scripts/run.mjs", "plugin", "--bundle"], { cwd: ROOT });
  const folder = await mkdtemp(join(tmpdir(), "agentgraph-packages-"));
  // Its processes find the packages there; see test/e2e/support/packages/packages.ts.
  process.env.TEST_PACKAGES = folder;
  const args = ["pack", "--json", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const { stdout } = await run("npm", [...args, "--workspace", "emulator", "--include-workspace-root"], { cwd: ROOT });
  const packed: Manifest[] = JSON.parse(stdout);
  await Promise.all(packed.map(({ name, filename }) => install(folder, name, filename)));
}

/** Does what `npm install` does with a tarball, without network: the dependencies are those of the checkout. */
async function install(folder: string, name: string, filename: string): Promise<void> {
  const target = join(folder, name, "node_modules", name);
  await mkdir(target, { recursive: true });
  await run("tar", ["-xzf", join(folder, filename), "--strip-components=1", "-C", target]);
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(target, "package.json"), "utf8"));
  for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
    const link = join(folder, name, "node_modules", dependency);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(ROOT, "node_modules", dependency), link);
  }
}

export async function removePackages(): Promise<void> {
  const { TEST_PACKAGES } = process.env;
  if (TEST_PACKAGES) await rm(TEST_PACKAGES, { recursive: true, force: true });
}
