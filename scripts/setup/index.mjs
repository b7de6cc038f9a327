/** The whole set-up. Each part looks first whether it has anything to do: a second run changes and prints nothing. */
import { ensureBuild } from "./build.mjs";
import { linkCommands } from "./commands.mjs";
import { ensureDependencies } from "./dependencies.mjs";
import { environment } from "./environment.mjs";
import { linkExamples } from "./examples.mjs";
import { ensureNode } from "./node.mjs";
import { ensurePulumi } from "./pulumi.mjs";
import { stepsTaken } from "./step.mjs";

/**
 * Makes the checkout ready to run and returns what to run it with.
 *
 * @param {object} [options]
 * @param {boolean} [options.cli] whether the Pulumi CLI is needed (default: yes)
 * @returns {Promise<{ node: string, pulumi: string | undefined, env: Record<string, string> }>} the paths of Node and
 *   of the CLI, and an environment with both first on PATH and nothing of the user's own Pulumi in it
 */
export async function ready({ cli = true } = {}) {
  const before = stepsTaken();
  const node = await ensureNode();
  const withNode = environment([{ name: "node", path: node }]);
  await ensureDependencies(withNode);
  await ensureBuild(withNode);
  await linkCommands();
  await linkExamples();
  const pulumi = cli ? await ensurePulumi(withNode) : undefined;
  if (stepsTaken() === before) console.log("Set-up: everything is in place");
  const programs = pulumi ? [{ name: "pulumi", path: pulumi }] : [];
  return { node, pulumi, env: environment([...programs, { name: "node", path: node }]) };
}
