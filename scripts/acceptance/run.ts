/** Sets up the checkout, and runs the suite in a separate process, which cleans up when it is interrupted. */
import { join } from "node:path";
import { usage, type Values } from "../../acceptance/options.ts";
import { ensureBundle } from "../plugin/bundle.ts";
import { ready } from "../setup/index.mjs";
import { ROOT } from "../setup/paths.mjs";
import { show } from "../setup/run.mjs";

export { usage };

export async function main(values: Values) {
  const { node, env } = await ready();
  if (values.native || values["both-hosts"]) await ensureBundle();
  // The set-up removes these variables, since no other command may use a developer's server.
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith("AGENTGRAPH_"));
  const variables = { ...env, ...Object.fromEntries(settings) };
  return show(node, [join(ROOT, "acceptance/main.ts"), ...process.argv.slice(3)], { env: variables });
}
