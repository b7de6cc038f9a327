/** Downloads published packages with the clients of their registries, and unpacks them. Nothing of them is executed. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "../setup/run.mjs";
import type { WatchedPackage } from "./inventory.ts";

export interface UnpackedPackage extends WatchedPackage {
  version: string;
  folder: string;
}

/** Downloads the newest version. */
export async function download(
  watched: WatchedPackage,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<UnpackedPackage> {
  const place = join(folder, watched.name.replaceAll("/", "-"));
  mkdirSync(join(place, "files"), { recursive: true });
  const fetch = watched.registry === "npm" ? fetchFromNpm : fetchFromPypi;
  const archive = await fetch(watched.name, place, env);
  const into = join(place, "files");
  const [program, args] = archive.endsWith(".whl")
    ? (["python3", ["-m", "zipfile", "--extract", archive, into]] as const)
    : (["tar", ["--extract", "--gzip", "--file", archive, "--directory", into, "--strip-components=1"]] as const);
  await run(program, [...args], { env, failed: `${watched.name} could not be unpacked` });
  return { ...watched, version: versionOf(archive, watched), folder: into };
}

async function fetchFromNpm(name: string, place: string, env: NodeJS.ProcessEnv) {
  const args = ["pack", "--silent", "--pack-destination", place, name];
  await run("npm", args, { cwd: place, env, failed: `npm could not download ${name}` });
  return archiveIn(place, ".tgz");
}

async function fetchFromPypi(name: string, place: string, env: NodeJS.ProcessEnv) {
  const args = ["download", "--quiet", "--no-deps", "--only-binary=:all:", "--python-version", "3.13", "--dest", place];
  await run("python3", ["-m", "pip", ...args, name], { env, failed: `pip could not download ${name}` });
  return archiveIn(place, ".whl");
}

function archiveIn(folder: string, ending: string): string {
  const found = readdirSync(folder).find((name) => name.endsWith(ending));
  if (found === undefined) throw new Error(`${folder} has no ${ending} file`);
  return join(folder, found);
}

function versionOf(archive: string, { registry }: WatchedPackage): string {
  const [, version = ""] =
    (registry === "npm" ? /-(\d+\.\d[^/]*)\.tgz$/ : /-(\d[^-/]*)-[^/]*\.whl$/).exec(archive) ?? [];
  return version;
}
