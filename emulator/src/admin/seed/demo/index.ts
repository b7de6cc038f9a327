import { validateAdminInput } from "../../../http/admin-gateway";
import { defaultTenantId } from "../../../http/auth";
import type { Context } from "../../../runtime/context";
import type { Infer } from "../../../runtime/validation/schema";
import { ensureProject, projectById } from "../../../tracing/projects";
import type { RunInput } from "../../../tracing/read-run";
import { insertRuns } from "../../../tracing/store-runs";
import { insertSeed, seedBody } from "../seed";
import { seedAssistant } from "./assistants";
import { RandomGenerator, uuidFromName } from "./prng";
import { secretsOf, seedRollout } from "./rollouts";
import { seedThreads } from "./threads";
import { traceRuns, userFeedback } from "./traces";
import { type Agent, agents, days, experiment, failedDeployment } from "./workspace";

export { seedExports } from "./exports";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Seeds the default workspace with deployments, an assistant with a cron, threads and traces. Does nothing if they
 * exist.
 */
export function seedDemo(context: Context): void {
  const { store, clock } = context;
  const tenant_id = defaultTenantId;
  if (projectById(store, tenant_id, projectId(experiment.project))) return;
  const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const start_time = new Date(today - 30 * DAY_MS).toISOString();
  for (const { name } of agents) ensureProject(store, { id: projectId(name), tenant_id, name, start_time });
  const reference_dataset_id = uuidFromName("dataset");
  const { project: name } = experiment;
  const experimentTime = new Date(today - DAY_MS).toISOString();
  ensureProject(store, { id: projectId(name), tenant_id, name, start_time: experimentTime, reference_dataset_id });
  for (const agent of [...agents, failedDeployment]) seedDeployment(context, agent);
  if (!context.settings.interfaceOnly) seedAssistant(context, uuidFromName(`deployment ${agents[0]?.name}`));
  seedThreads(context, agents);
  for (const agent of agents) {
    insertRuns(store, tenant_id, projectId(agent.name), dailyRuns(agent, today));
  }
  insertRuns(store, tenant_id, projectId(name), experimentRuns(today - DAY_MS + 9 * HOUR_MS));
}

function projectId(name: string): string {
  return uuidFromName(`project ${name}`);
}

function seedDeployment(context: Context, { name, image, rollouts }: Pick<Agent, "name" | "image" | "rollouts">): void {
  const id = uuidFromName(`deployment ${name}`);
  const [first, latest] = [rollouts[0], rollouts.at(-1)];
  if (!first || !latest) return;
  const deployment = {
    ...{ id, name, source: "external_docker", revision_status: null, secrets: secretsOf(latest) },
    created_at: new Date(context.clock.now() - first.hoursAgo * HOUR_MS).toISOString(),
    source_config: { resource_spec: { cpu: 1, memory_mb: 1024, min_scale: 1, max_scale: 3 } },
  };
  insertSeed(context, validateAdminInput<Infer<typeof seedBody>>(seedBody, { deployments: [deployment] }));
  for (const rollout of rollouts) seedRollout(context, id, image, rollout);
}

/** Runs of the last days, mostly during the day; some fail. */
function dailyRuns(agent: Agent, today: number): RunInput[] {
  const random = new RandomGenerator(agent.tracesPerDay);
  return Array.from({ length: days * agent.tracesPerDay }, (_, index) => {
    const at =
      today - (1 + Math.floor(index / agent.tracesPerDay)) * DAY_MS + random.between(6 * HOUR_MS, 22 * HOUR_MS);
    const trace = { agent, name: `${agent.name} ${index}`, at, dialog: random.pick(agent.dialogs), random };
    const change = {
      tags: [random.chance(0.9) ? "production" : "canary", random.pick(["web", "app", "mail"])],
      extra: { metadata: { env: "production", user: `user-${random.between(1, 40)}`, revision: random.between(1, 3) } },
    };
    const runs = traceRuns({ ...trace, failing: random.chance(0.12), change });
    const [root, ...others] = runs as [RunInput, ...RunInput[]];
    return [{ ...root, feedback: userFeedback(random, root.error !== undefined) }, ...others];
  }).flat();
}

function experimentRuns(from: number): RunInput[] {
  const random = new RandomGenerator(1);
  const agent = agents.find(({ name }) => name === experiment.agent) as Agent;
  return Array.from({ length: experiment.rounds }, (_, round) => round).flatMap((round) =>
    agent.dialogs.flatMap((dialog, index) => {
      const change = {
        tags: ["experiment"],
        extra: { metadata: { round } },
        reference_example_id: uuidFromName(`example ${dialog[0]}`),
        feedback: [
          { key: "correctness", score: random.between(6, 10) / 10 },
          { key: "tone", value: random.pick(["warm", "neutral"]) },
        ],
      };
      const at = from + (round * agent.dialogs.length + index) * 5000;
      return traceRuns({ agent, name: `experiment ${round} ${index}`, at, dialog, random, failing: false, change });
    }),
  );
}
