/** Provides a supported Node: the running one, otherwise Node 24 from npm. */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cached, inCache } from "./cache.mjs";
import { PLATFORM, ROOT } from "./paths.mjs";
import { Problem } from "./problem.mjs";
import { attempt, run } from "./run.mjs";
import { step } from "./step.mjs";
import { atLeast } from "./versions.mjs";

/** Oldest version that the package, the emulator (node:sqlite) and the tests support (`engines` in package.json). */
const MIN_VERSION = "22.19";
const NODE_VERSION = "24";

/** By platform, as Node names it, and version: the npm package that contains the Node program, with its checksum. */
const RELEASES = JSON.parse(readFileSync(join(ROOT, "toolchain", "node", "releases.json"), "utf8"));

/** Returns the path of a supported Node. */
export async function ensureNode() {
  if (atLeast(process.versions.node, MIN_VERSION)) return process.execPath;
  return ensureNodeRelease(`${process.versions.node} is older than ${MIN_VERSION}`);
}

/**
 * Returns the path of a Node from npm, which runs on any system of this platform.
 * @param {string} reason why it is needed
 * @param {string} [version] such as "24" or "22.19" (default: "24")
 * @param {string} [platform] such as "win32-x64", to put the program into an executable (default: this one)
 */
export async function ensureNodeRelease(reason, version = NODE_VERSION, platform = PLATFORM) {
  const release = releaseOf(version, platform);
  const name = `node-${release.version}-${platform}`;
  const why = `installing ${version} from npm (${reason})`;
  const fill = (draft) => step("Node", why, () => install(draft, release, platform));
  return join(cached(name) ?? (await inCache(name, "Node", fill)), programOf(release));
}

const programOf = ({ package: name }) =>
  join("node_modules", name, "bin", name.startsWith("node-win-") ? "node.exe" : "node");

function releaseOf(version, platform) {
  const release = RELEASES[platform]?.[version];
  if (release) return release;
  throw new Problem(
    `npm has no Node ${version} for ${platform}. Install Node ${MIN_VERSION} or newer (https://nodejs.org) ` +
      "and run the same command again.",
  );
}

async function install(draft, release, platform) {
  await writeLock(draft, release);
  // The package contains the program and needs no scripts.
  const args = ["ci", "--prefix", draft, "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", args, { cwd: draft, failed: "npm could not install Node" });
  if (platform !== PLATFORM) return;
  const { code, output } = await attempt(join(draft, programOf(release)), ["--version"]);
  if (code === 0 && atLeast(output, MIN_VERSION)) return;
  throw new Problem(
    `The Node from npm does not run on this system. Install Node ${MIN_VERSION} or newer (https://nodejs.org) ` +
      "and run the same command again.",
    output,
  );
}

/** Writes a lock file with the checksum of the release, which npm verifies. */
async function writeLock(folder, { package: name, version, integrity }) {
  const dependencies = { [name]: version };
  const packages = { "": { dependencies }, [`node_modules/${name}`]: { version, integrity } };
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
}
