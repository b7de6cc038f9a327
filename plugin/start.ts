/** The first file of the bundle: checks the version of Node, since older ones may not even parse the plugin. */
import { enableCompileCache } from "node:module";
import { join } from "node:path";

/** The oldest supported version, such as "22.19". The bundler replaces it with the one in package.json. */
declare const MIN_NODE_VERSION: string;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const [minMajor = 0, minMinor = 0] = MIN_NODE_VERSION.split(".").map(Number);

if (major > minMajor || (major === minMajor && minor >= minMinor)) {
  // Beside the plugin, because others can write to the default folder, and the cache contains code.
  enableCompileCache(join(__dirname, "cache"));
  require("./main");
} else {
  process.stderr.write(
    `The agentgraph plugin requires Node ${MIN_NODE_VERSION} or newer, and PATH contains ` +
      `${process.versions.node}. Install a newer one from https://nodejs.org, or use the plugin's executable, ` +
      "which needs nothing.\n",
  );
  process.exit(1);
}
