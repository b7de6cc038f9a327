/**
 * Builds the archives of a release. Each folder in build/archives is a server for `pulumi plugin install`: `node` has
 * the bundle for every platform, and `standalone` the executable of each.
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { LIST, lineOf, listOf } from "../release/checksums.ts";
import { ROOT } from "../setup/paths.mjs";
import { ensureArtifact, fingerprint, megabytes, writeInOneStep } from "./artifact.ts";
import { BUNDLE_FILES, ensureBundle } from "./bundle.ts";
import { ensureExecutable, executableSources } from "./executable.ts";

const RELEASE = join(ROOT, "build", "archives");
/** What coding agents of users read. */
export const SKILL = "skills/pulumi-agentgraph/SKILL.md";

/** Platforms of the Pulumi CLI, by its names. */
export const PLATFORMS = ["linux", "darwin", "windows"].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]);
export const nodePlatform = (platform: string) => platform.replace("amd64", "x64").replace("windows", "win32");

/** Builds the archives if their sources changed since the last build. @returns Their folder. */
export const ensureRelease = () =>
  ensureArtifact({
    path: RELEASE,
    what: "archives of the release",
    sources: async () => {
      const files = [
        "LICENSE",
        SKILL,
        "scripts/plugin/release.ts",
        "scripts/release/checksums.ts",
        "toolchain/node/releases.json",
      ];
      return `${await executableSources()} ${await fingerprint({ files })}`;
    },
    build,
  });

async function build(status: (status: string) => void) {
  await rm(RELEASE, { recursive: true, force: true });
  const bundle = await ensureBundle();
  const portable = await packWithList([...BUNDLE_FILES.map((name) => join(bundle, name)), SKILL]);
  const licenses = join(bundle, "LICENSES.txt");
  const standalone: [platform: string, contents: Uint8Array][] = [];
  for (const platform of PLATFORMS)
    standalone.push([platform, await packWithList([await ensureExecutable(nodePlatform(platform)), licenses, SKILL])]);
  await publish(
    "node",
    PLATFORMS.map((platform) => [platform, portable] as const),
  );
  await publish("standalone", standalone);
  const size = standalone.reduce((sum, [, { length }]) => sum + length, 0);
  status(`archives of the release, ${megabytes(portable.length)} with Node.js, ${megabytes(size)} with executables`);
}

/** Writes an archive with the plugin's executable for one platform, and one with the bundle for all. */
export async function packPlugin(folder: string, version: string, platform: string) {
  const bundle = await ensureBundle();
  const standalone = [await ensureExecutable(nodePlatform(platform)), join(bundle, "LICENSES.txt"), SKILL];
  const archives = { [platform]: standalone, node: [...BUNDLE_FILES.map((name) => join(bundle, name)), SKILL] };
  for (const [name, files] of Object.entries(archives))
    await writeFile(join(folder, `pulumi-resource-agentgraph-v${version}-${name}.tar.gz`), await packWithList(files));
}

/** Returns the files and the license as an archive, the same for equal files, whenever it is built. */
export const pack = async (files: string[]) => compress(await read(files));

/** Adds the checksums of the files. */
async function packWithList(files: string[]) {
  const all = await read(files);
  return compress([...all, { name: LIST, body: Buffer.from(listOf(all)) }]);
}

const read = (files: string[]) =>
  Promise.all(
    [...files, "LICENSE"].map(async (file) => ({ name: basename(file), body: await readFile(resolve(ROOT, file)) })),
  );

async function compress(files: { name: string; body: Buffer }[]) {
  const { packTar } = await import("modern-tar");
  const entries = files.map(({ name, body }) => {
    const mode = /^(pulumi-resource-|agentgraph-emulator)/.test(name) ? 0o755 : 0o644;
    return { header: { name, size: body.length, mode, mtime: new Date(0) }, body };
  });
  return promisify(gzip)(await packTar(entries));
}

/** Writes archives, each under the name by which the CLI requests it, and their checksums for `sha256sum --check`. */
async function publish(folder: string, archives: (readonly [platform: string, contents: Uint8Array])[]) {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const sums: string[] = [];
  for (const [platform, contents] of archives) {
    const name = `pulumi-resource-agentgraph-v${version}-${platform}.tar.gz`;
    await writeInOneStep(join(RELEASE, folder, name), contents);
    sums.push(lineOf(name, contents));
  }
  await writeFile(join(RELEASE, folder, "SHA256SUMS"), sums.join(""));
}
