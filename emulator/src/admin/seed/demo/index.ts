import { validateAdminInput } from "../../../http/admin-gateway";
import { defaultTenantId } from "../../../http/auth";
import type { Context } from "../../../runtime/context";
import type { Infer } from "../../../runtime/validation/schema";
import { ensureProject, projectById } from "../../../tracing/projects";
import type { RunInput } from "../../../tracing/read-run";
import { insertRuns } from "../../../tracing/store-runs";
import { plant, seedBody } from "../seed";
import { Dice, uuidOf } from "./prng";
import { opinion, traceRuns } from "./traces";
import { type Agent, agents, broken, days, experiment } from "./workspace";

const hour = 3_600_000;
const day = 24 * hour;

/** Seeds the default workspace with deployments and their traces. Does nothing if they exist. */
export function plantDemo(context: Context): void {
  const { store, clock } = context;
  const tenant_id = defaultTenantId;
  if (projectById(store, tenant_id, projectId(experiment.project))) return;
  const today = Math.floor(clock.now() / day) * day;
  const start_time = new Date(today - 30 * day).toISOString();
  for (const { name } of agents) ensureProject(store, { id: projectId(name), tenant_id, name, start_time });
  const reference_dataset_id = uuidOf("dataset");
  const { project: name } = experiment;
  const asked = new Date(today - day).toISOString();
  ensureProject(store, { id: projectId(name), tenant_id, name, start_time: asked, reference_dataset_id });
  const deployments = [
    ...agents.map((agent) => deployment(agent, start_time)),
    { ...deployment(broken, start_time), revision_status: "DEPLOY_FAILED" },
  ];
  plant(context, validateAdminInput<Infer<typeof seedBody>>(seedBody, { deployments }));
  for (const agent of agents) {
    insertRuns(store, tenant_id, projectId(agent.name), dailyRuns(agent, today));
  }
  insertRuns(store, tenant_id, projectId(name), experimentRuns(today - day + 9 * hour));
}

function projectId(name: string): string {
  return uuidOf(`project ${name}`);
}

function deployment({ name, image }: Pick<Agent, "name" | "image">, created_at: string) {
  return {
    id: uuidOf(`deployment ${name}`),
    name,
    source: "external_docker",
    created_at,
    source_config: { resource_spec: { cpu: 1, memory_mb: 1024, min_scale: 1, max_scale: 3 } },
    source_revision_config: { image_uri: image },
    secrets: [{ name: "MODEL_API_KEY", value: "a-key-for-show" }],
  };
}

/** Runs of the last days, mostly during the day; some fail. */
function dailyRuns(agent: Agent, today: number): RunInput[] {
  const dice = new Dice(agent.tracesADay);
  return Array.from({ length: days * agent.tracesADay }, (_, index) => {
    const at = today - (1 + Math.floor(index / agent.tracesADay)) * day + dice.between(6 * hour, 22 * hour);
    const trace = { agent, name: `${agent.name} ${index}`, at, talk: dice.oneOf(agent.talks), dice };
    const change = {
      tags: [dice.chance(0.9) ? "production" : "canary", dice.oneOf(["web", "app", "mail"])],
      extra: { metadata: { env: "production", user: `user-${dice.between(1, 40)}`, revision: dice.between(1, 3) } },
    };
    const runs = traceRuns({ ...trace, failing: dice.chance(0.12), change });
    const [root, ...others] = runs as [RunInput, ...RunInput[]];
    return [{ ...root, feedback: opinion(dice, root.error !== undefined) }, ...others];
  }).flat();
}

function experimentRuns(from: number): RunInput[] {
  const dice = new Dice(1);
  const agent = agents.find(({ name }) => name === experiment.agent) as Agent;
  return Array.from({ length: experiment.rounds }, (_, round) => round).flatMap((round) =>
    agent.talks.flatMap((talk, index) => {
      const change = {
        tags: ["experiment"],
        extra: { metadata: { round } },
        reference_example_id: uuidOf(`example ${talk[0]}`),
        feedback: [
          { key: "correctness", score: dice.between(6, 10) / 10 },
          { key: "tone", value: dice.oneOf(["warm", "neutral"]) },
        ],
      };
      const at = from + (round * agent.talks.length + index) * 5000;
      return traceRuns({ agent, name: `experiment ${round} ${index}`, at, talk, dice, failing: false, change });
    }),
  );
}
