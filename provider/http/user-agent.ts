import { VERSION } from "../text/version";

/** How the provider names itself to servers: `pulumi-agentgraph/0.1.0 node/24.19.1 linux`. */
export const USER_AGENT = `pulumi-agentgraph/${VERSION} node/${process.versions.node} ${process.platform}`;
