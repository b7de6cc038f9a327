/** What a run will create, and about how long that takes: it costs money on a real platform. */
import type { Planned } from "../run.ts";
import type { Run } from "../stories/story.ts";

/** Minutes of a rollout of a small image on a platform in the cloud, as peers measured. */
const ROLLOUT_MINUTES = 5;

export function announce(run: Run, planned: readonly Planned[]): string {
  const { server, options, id } = run;
  const told = planned.filter(({ lacks }) => !lacks);
  const creations = told.map(({ story, host }) => ({ story, host, ...story.creates(run) }));
  const rollouts = Math.max(0, ...creations.map((one) => one.rollouts));
  const isEmulator = server.kind === "emulator";
  const routes = options.interfaceOnly ? ", with only the routes that the API describes" : "";
  return [
    isEmulator
      ? `Server: an emulator of this run${routes} (AGENTGRAPH_URL is not set)`
      : `Server: ${server.controlPlane?.url ?? server.tracing?.url ?? options.agentUrl}`,
    `Run: ${id}, the beginning of every name`,
    "It creates, and deletes at the end:",
    ...creations.map(({ story, host, text }) => `  ${story.name} (${host}): ${text}`),
    ...planned
      .filter(({ lacks }) => lacks)
      .map(({ story, host, lacks }) => `  ${story.name} (${host}): skipped, ${lacks}`),
    isEmulator
      ? "It takes one to two minutes."
      : `At most six deployments exist at a time. It takes about ${Math.max(2, rollouts * ROLLOUT_MINUTES)} ` +
        `minutes, if a rollout takes ${ROLLOUT_MINUTES}.`,
    "",
  ].join("\n");
}
