/**
 * Completes package-lock.json after `npm install`: `node scripts/complete-lock.mjs`.
 *
 * Some tools publish one optional package per platform. npm leaves out of the lock file those that its registry does not
 * carry (a mirror often has only some), and then `npm ci` refuses the whole file, on every machine. This adds them by
 * name, version and platform. Only a machine of that platform ever downloads them; npm keeps the lines from then on.
 * With `--check` it changes nothing and fails when something is missing.
 */
import { readFileSync, writeFileSync } from "node:fs";

const FILE = new URL("../package-lock.json", import.meta.url);
const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
const LIBRARIES = { gnu: "glibc", musl: "musl" };

const lock = JSON.parse(readFileSync(FILE, "utf8"));
const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !resolves(path, name))
    .map(([name, version]) => [`node_modules/${name}`, entry(name, version, dev)]),
);

if (missing.length === 0) {
  console.log("package-lock.json names every optional package.");
} else if (process.argv.includes("--check")) {
  console.error(`package-lock.json lacks ${missing.length} optional packages: run \`node scripts/complete-lock.mjs\`.`);
  process.exitCode = 1;
} else {
  const packages = [...Object.entries(lock.packages), ...missing].sort(([a], [b]) => a.localeCompare(b, "en"));
  writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
  console.log(`package-lock.json: ${missing.length} optional packages added.`);
}

/** Whether a package at `path` finds `name` as Node does: in its own node_modules, or in one further up. */
function resolves(path, name) {
  if (lock.packages[`${path && `${path}/`}node_modules/${name}`]) return true;
  return path !== "" && resolves(path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/"))), name);
}

/** Platform packages say in their name where they run: "@biomejs/cli-linux-x64-musl". */
function entry(name, version, dev) {
  const words = name.split(/[-/]/);
  const named = (known) => known.filter((word) => words.includes(word));
  const libraries = Object.keys(LIBRARIES).filter((word) => words.includes(word));
  return {
    version: version.replace(/^[\^~]/, ""),
    ...list("cpu", named(PROCESSORS)),
    ...(dev && { dev }),
    ...list(
      "libc",
      libraries.map((word) => LIBRARIES[word]),
    ),
    optional: true,
    ...list("os", named(SYSTEMS)),
  };
}

function list(key, values) {
  return values.length > 0 ? { [key]: values } : {};
}
