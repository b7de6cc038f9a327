/** Provides the oldest and the newest versions that the package supports, for the test of their combinations. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { inCache } from "../setup/cache.mjs";
import { ensureNodeRelease } from "../setup/node.mjs";
import { ROOT } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";

/** Newest major version of Node that the package is tested with. */
const NEWEST_NODE = "26";
const SDK = "@pulumi/pulumi";
/** The newest major version of TypeScript that the oldest SDK supports. */
const TYPESCRIPT = "typescript@5";

const manifest = async () => JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
const versionIn = (range: string) => range.replace(/^[^\d]+/, "");

/** Returns the path of the Node that `engines` in package.json names. */
export const ensureOldestNode = async () =>
  ensureNodeRelease("the oldest supported version", versionIn((await manifest()).engines.node));

/** Returns the path of the newest Node. */
export const ensureNewestNode = () => ensureNodeRelease("the newest supported version", NEWEST_NODE);

/** Returns the folder of the Pulumi SDK that `peerDependencies` in package.json names. */
export async function ensureOldestSdk(env: NodeJS.ProcessEnv) {
  const version = versionIn((await manifest()).peerDependencies[SDK]);
  const home = await inCache(`pulumi-sdk-${version}`, "Pulumi SDK", (draft) =>
    step("Pulumi SDK", `installing ${version} from npm (the oldest supported version)`, () => {
      const args = ["install", "--prefix", draft, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
      return run("npm", [...args, `${SDK}@${version}`, TYPESCRIPT], {
        cwd: draft,
        env,
        failed: "npm could not install the SDK",
      });
    }),
  );
  return join(home, "node_modules", SDK);
}
