/** The assumptions that no request from outside can check, with the reason of each. */
export const REASONS: Readonly<Record<string, string>> = {
  "10.retry-after": "only a flood of requests brings a 429, and it would slow down everybody on the platform",
  "10.server-errors": "no request makes a healthy server fail, or breaks a connection at the right moment",
  "10.unknown-values": "no request makes a server report a status that the pages do not list",
  "10B.metadata-added": "it permits additions, so neither their presence nor their absence contradicts it",
  "10A.not-returned": "what a response omits cannot be read by another request",
  "10A.interrupted": "the server alone decides when it interrupts a rollout",
  "10A.ceilings": "no response says whether the server is in the cloud",
  "10C.identical": "it is about the intention of a program, which no server knows",
  "10C.features": "no response of the tracing API names its version",
  "10C.plan": "no route shows what the plan of a workspace includes",
};
