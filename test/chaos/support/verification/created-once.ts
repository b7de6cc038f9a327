import type { ProxiedRequest } from "../server/proxy";

/** Requests that create one more object, or version of an assistant, each time. */
const CREATING = [
  /^POST \/v2\/deployments$/,
  /^POST \/agents\/[^/]+\/threads\/[^/]+\/copy$/,
  /^POST \/agents\/.*\/runs\/crons$/,
  /^POST \/api\/v1\/bulk-exports(\/destinations)?$/,
  /^PATCH \/agents\/[^/]+\/assistants\//,
];

/** @throws Error when one command created a resource twice, or two versions of an assistant. */
export function verifyCreatedOnce(requests: readonly ProxiedRequest[]): void {
  const created = new Set<string>();
  for (const { slot, method, url, status = 0 } of requests) {
    const request = `${method} ${url}`;
    if (!CREATING.some((pattern) => pattern.test(request)) || status < 200 || status > 299) continue;
    if (created.has(`${slot} ${request}`)) throw new Error(`one command created ${slot} twice: ${request}`);
    created.add(`${slot} ${request}`);
  }
}
