/**
 * The version of this package, the plugin and the generated SDKs (scripts/release/check-version.ts). What runs in the
 * native provider names it, so that the engine starts one provider for all of a program.
 */
export const VERSION = "0.1.0";

/** How the provider names itself to servers: `pulumi-agentgraph/0.1.0 node/24.19.1 linux`. */
export const USER_AGENT = `pulumi-agentgraph/${VERSION} node/${process.versions.node} ${process.platform}`;
