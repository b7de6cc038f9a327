/** The environment in which everything here runs: the right programs first, and nothing of the user's own Pulumi. */
import { realpathSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { which } from "./paths.mjs";

/**
 * The user's environment without what steers Pulumi or this package (a login, a backend, a key of a real service must
 * reach neither the quickstart nor a test), and with the given programs first on PATH.
 */
export function environment(programs) {
  const env = {};
  for (const [name, value] of Object.entries(process.env)) if (!isSteering(name)) env[name] = value;
  for (const program of programs) putFirst(env, program);
  return {
    ...env,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}

const OWN = ["AGENTGRAPH_CACHE", "AGENTGRAPH_EMULATOR_PORT"];
const isSteering = (name) => /^(PULUMI|AGENTGRAPH)_/.test(name) && !OWN.includes(name);

/** Leaves PATH alone when it finds the program already: its folder may hold other programs that should not come first. */
function putFirst(env, program) {
  const found = which(program.name, env);
  if (found && realpathSync(found) === realpathSync(program.path)) return;
  env.PATH = [dirname(program.path), env.PATH].filter(Boolean).join(delimiter);
}
