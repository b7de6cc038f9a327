/** The environment of all commands: the required programs first on PATH, without settings of the user's own Pulumi. */
import { realpathSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { which } from "./paths.mjs";

/**
 * Returns the user's environment without variables of Pulumi and of this package, and with the programs first on PATH.
 * A login, a backend or the API key of a real server must not reach the quickstart or a test.
 * @param {{ name: string, path: string }[]} programs
 * @returns {NodeJS.ProcessEnv}
 */
export function environment(programs) {
  const env = {};
  for (const [name, value] of Object.entries(process.env)) if (!isSteering(name)) env[name] = value;
  for (const program of programs) putFirst(env, program);
  return { ...env, PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" };
}

const OWN = ["AGENTGRAPH_CACHE", "AGENTGRAPH_EMULATOR_PORT"];
const isSteering = (name) => /^(PULUMI|AGENTGRAPH)_/.test(name) && !OWN.includes(name);

/** Keeps PATH if it already finds the program, since its folder may contain other programs. */
function putFirst(env, program) {
  const current = which(program.name, env);
  if (current && realpathSync(current) === realpathSync(program.path)) return;
  env.PATH = [dirname(program.path), env.PATH].filter(Boolean).join(delimiter);
}
