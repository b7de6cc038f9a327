/**
 * Completes package-lock.json, and those in toolchain/, after `npm install`: `node scripts/complete-lock.ts`.
 *
 * Some tools publish one optional package per platform. npm omits from the lock file those that its registry lacks (a
 * mirror often has only some), and then `npm ci` rejects the whole file on every machine. This script adds them by
 * name, version and platform. Only a machine of that platform downloads them, and npm keeps the entries. With
 * `--check`, it changes nothing and fails if an entry is missing.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./setup/paths.mjs";

/** A package in a lock file, by its path. */
type Packages = Record<string, { optionalDependencies?: Record<string, string>; dev?: boolean }>;

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
const LIBRARIES = { gnu: "glibc", musl: "musl" };

const foldersIn = (parent: string) => readdirSync(join(ROOT, parent)).map((name) => join(parent, name));
const folders = ["", ...foldersIn("toolchain"), ...foldersIn("toolchain/optional")];
for (const folder of folders) {
  const file = join(folder, "package-lock.json");
  if (existsSync(join(ROOT, file))) complete(file);
}

function complete(file: string) {
  const lock = JSON.parse(readFileSync(join(ROOT, file), "utf8"));
  const missing = missingFrom(lock.packages);
  if (missing.length === 0) {
    console.log(`${file} is complete.`);
  } else if (process.argv.includes("--check")) {
    console.error(`${file} lacks ${missing.length} optional packages. Run \`node scripts/complete-lock.ts\`.`);
    process.exitCode = 1;
  } else {
    const packages = [...Object.entries(lock.packages), ...missing].sort(([a], [b]) => a.localeCompare(b, "en"));
    const text = JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2);
    writeFileSync(join(ROOT, file), `${text}\n`);
    console.log(`Added ${missing.length} optional packages to ${file}.`);
  }
}

function missingFrom(packages: Packages): [string, object][] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !resolves(packages, path, name))
      .map(([name, version]): [string, object] => [`node_modules/${name}`, entry(name, version, dev)]),
  );
}

/** Whether a package at `path` resolves `name`: in its own node_modules, or in one of a parent folder. */
function resolves(packages: Packages, path: string, name: string): boolean {
  if (packages[`${path && `${path}/`}node_modules/${name}`]) return true;
  return path !== "" && resolves(packages, path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/"))), name);
}

/** Returns the entry of a platform package, whose name contains the platform: "@biomejs/cli-linux-x64-musl". */
function entry(name: string, version: string, dev?: boolean) {
  const words = name.split(/[-/]/);
  const named = (known: string[]) => known.filter((word) => words.includes(word));
  const libraries = Object.entries(LIBRARIES).filter(([word]) => words.includes(word));
  return {
    version: version.replace(/^[\^~]/, ""),
    ...list("cpu", named(PROCESSORS)),
    ...(dev && { dev }),
    ...list(
      "libc",
      libraries.map(([, library]) => library),
    ),
    optional: true,
    ...list("os", named(SYSTEMS)),
  };
}

function list(key: string, values: string[]) {
  return values.length > 0 ? { [key]: values } : {};
}
