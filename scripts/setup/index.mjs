/** The complete set-up. Each part first checks whether it has anything to do, so a second run changes nothing. */
import { ensureBuild } from "./build.mjs";
import { ensureDependencies } from "./dependencies.mjs";
import { environment } from "./environment.mjs";
import { linkCommands, linkExamples } from "./links.mjs";
import { ensureNode } from "./node.mjs";
import { findPulumi, installPulumi } from "./pulumi.mjs";
import { stopBackground } from "./run.mjs";

/**
 * Sets up the checkout.
 * @param {object} [options]
 * @param {boolean} [options.cli] whether the Pulumi CLI is needed (default: yes)
 * @param {(tools: { node: string, env: NodeJS.ProcessEnv }) => Promise<void>} [options.meanwhile] what to do as soon as
 *   everything but the CLI is ready
 * @returns {Promise<{ node: string, pulumi: string | undefined, env: NodeJS.ProcessEnv }>} the paths of Node and
 *   of the CLI, and an environment with both first on PATH and nothing of the user's own Pulumi in it
 */
export async function ready({ cli = true, meanwhile = async () => {} } = {}) {
  const env = environment([]);
  const { path, lack } = cli ? await findPulumi(env) : {};
  // Building the CLI takes longest by far, so it begins first; at its end, it needs a package of the checkout.
  const checkout = setUpCheckout();
  const pulumi = lack ? installPulumi(env, lack, checkout) : Promise.resolve(path);
  await allOrNone([pulumi, checkout.then(meanwhile)]);
  const { node } = await checkout;
  const programs = [{ name: "pulumi", path: await pulumi }, nodeAt(node)].filter((program) => program.path);
  return { node, pulumi: await pulumi, env: environment(programs) };
}

/** Prepares everything but the CLI. */
async function setUpCheckout() {
  const node = await ensureNode();
  const env = environment([nodeAt(node)]);
  await ensureDependencies(env);
  await ensureBuild(env);
  await linkCommands();
  await linkExamples();
  return { node, env };
}

const nodeAt = (path) => ({ name: "node", path });

/** Waits for all. If one fails, stops the programs of the others. */
async function allOrNone(promises) {
  try {
    await Promise.all(promises);
  } catch (error) {
    stopBackground();
    await Promise.allSettled(promises);
    throw error;
  }
}
