/**
 * The parts of a resource that are stored in users' state. Does not import the Pulumi SDK, so that commands load fast.
 */

/**
 * Returns the provider code that each resource has in state. It loads the *installed* package, so that new versions run
 * for old state. Frozen: its bytes are in users' state.
 */
export function stubOf(kind: string): string {
  const load = 'require("module").createRequire(process.cwd()+"/_")("pulumi-agentgraph/provider")';
  return `exports.handler=()=>${load}.${kind}`;
}
