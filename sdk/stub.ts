/** What of a resource lives in users' state. Free of the SDK of Pulumi, so that commands are not slow to load. */

/**
 * The text that each resource carries in state: it makes the host load the *installed* package, so that new versions
 * run for old state. Frozen: its bytes live in users' state.
 */
export function stubOf(kind: string): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/_")("pulumi-agentgraph/provider").${kind}`;
}

/** The token by which state and engine know the kind. Frozen. */
export function tokenOf(kind: string): string {
  return `pulumi-nodejs:dynamic/agentgraph:${kind}`;
}
