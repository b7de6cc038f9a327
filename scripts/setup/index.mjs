/** The complete set-up. Each part first checks whether it has anything to do, so a second run changes nothing. */
import { ensureBuild } from "./build.mjs";
import { linkCommands } from "./commands.mjs";
import { ensureDependencies } from "./dependencies.mjs";
import { environment } from "./environment.mjs";
import { linkExamples } from "./examples.mjs";
import { ensureNode } from "./node.mjs";
import { ensurePulumi } from "./pulumi.mjs";
import { stepsTaken } from "./step.mjs";

/**
 * Sets up the checkout.
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
  if (stepsTaken() === before) console.log("Set-up: up to date");
  const programs = pulumi ? [{ name: "pulumi", path: pulumi }] : [];
  return { node, pulumi, env: environment([...programs, { name: "node", path: node }]) };
}
