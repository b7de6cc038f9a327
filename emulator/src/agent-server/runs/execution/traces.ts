import { randomUUID } from "node:crypto";
import { deploymentById } from "../../../control-plane/model/records";
import type { Context } from "../../../runtime/context";
import { findOrCreateProject } from "../../../tracing/projects";
import type { RunInput } from "../../../tracing/read-run";
import { insertRuns } from "../../../tracing/store-runs";
import { estimateTokens, type ModelCall } from "../../graphs/built-in";
import { latestCheckpoint } from "../../threads/checkpoints";
import type { ThreadRecord } from "../../threads/records";
import type { RunRecord, Span } from "../records";

/** Price of a token in dollars; the emulator's own. */
const price = { prompt: 0.15e-6, completion: 0.6e-6 };

/** The name of the simulated model. */
const modelName = "echo-model";

/**
 * Writes a finished run to the tracing project of its deployment: a root run, a child for each node, and below it the
 * call of the model. All contain `thread_id` (API `1B.item 5`).
 */
export function writeTrace(context: Context, thread: ThreadRecord, run: RunRecord): void {
  const deployment = deploymentById(context.store, thread.deployment_id);
  if (!deployment) return;
  const { tenant_id: tenantId, name } = deployment;
  const { project } = findOrCreateProject(context, { tenantId, project: name });
  const extra = { metadata: metadataOf(thread, run), runtime: { runtime: "emulator" } };
  const root = rootRun(context, thread, run);
  const children = run.spans.flatMap((span) => nodeRuns(run.id, span));
  insertRuns(
    context.store,
    tenantId,
    project.id,
    [root, ...children].map((row) => ({ ...row, extra })),
  );
}

function metadataOf(
  { id, metadata }: ThreadRecord,
  { id: run_id, assistant_id, graph_id, metadata: nodeRun }: RunRecord,
) {
  return { ...metadata, ...nodeRun, thread_id: id, run_id, assistant_id, graph_id };
}

function rootRun({ store, clock }: Context, thread: ThreadRecord, run: RunRecord): RunInput {
  const { id, graph_id: name, started_at, request: modelRun, error, spans } = run;
  const usages = spans.flatMap(({ model }) => (model ? [usageOf(model)] : []));
  const total = (pick: (usage: ReturnType<typeof usageOf>) => number) =>
    usages.reduce((sum, usage) => sum + pick(usage), 0);
  const modelSpan = spans.find(({ model }) => model);
  return {
    id,
    name,
    run_type: "chain",
    start_time: toIsoString(started_at ?? clock.now()),
    end_time: clock.isoNow(),
    error,
    inputs: modelRun.input ?? modelRun.command ?? null,
    outputs: latestCheckpoint(store, thread)?.state ?? null,
    tags: [],
    ...(modelSpan && {
      prompt_tokens: total((usage) => usage.prompt_tokens),
      completion_tokens: total((usage) => usage.completion_tokens),
      prompt_cost: total((usage) => usage.prompt_cost),
      completion_cost: total((usage) => usage.completion_cost),
      first_token_time: toIsoString(firstToken(modelSpan)),
    }),
  };
}

function nodeRuns(root: string, span: Span): RunInput[] {
  const { node: name, input: inputs, output: outputs, error, model } = span;
  const id = randomUUID();
  const times = { start_time: toIsoString(span.start), end_time: toIsoString(span.end) };
  const nodeRun = { id, parent_run_id: root, name, run_type: "chain", ...times, inputs, outputs, error, tags: [] };
  if (!model) return [nodeRun];
  const first_token_time = toIsoString(firstToken(span));
  const modelRun = {
    parent_run_id: id,
    name: modelName,
    run_type: "llm",
    ...times,
    ...usageOf(model),
    first_token_time,
    tags: [],
    inputs: { messages: [{ type: "human", content: model.prompt }] },
    outputs: { message: { type: "ai", content: model.answer } },
    events: [{ name: "new_token", time: first_token_time }],
  };
  return [{ ...nodeRun, ...usageOf(model), first_token_time }, modelRun];
}

function usageOf({ prompt, answer }: ModelCall) {
  const [prompt_tokens, completion_tokens] = [estimateTokens(prompt), estimateTokens(answer)];
  const [prompt_cost, completion_cost] = [prompt_tokens * price.prompt, completion_tokens * price.completion];
  return { prompt_tokens, completion_tokens, prompt_cost, completion_cost };
}

/** Returns the simulated time of the first token: halfway through the call. */
function firstToken({ start, end }: Span): number {
  return start + Math.floor((end - start) / 2);
}

function toIsoString(ms: number): string {
  return new Date(ms).toISOString();
}
