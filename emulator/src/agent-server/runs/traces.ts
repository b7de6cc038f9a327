import { randomUUID } from "node:crypto";
import { deploymentById } from "../../control-plane/model/records";
import type { Context } from "../../runtime/context";
import { openProject } from "../../tracing/projects";
import type { RunInput } from "../../tracing/read-run";
import { insertRuns } from "../../tracing/store-runs";
import { type ModelCall, tokensIn } from "../assistants/graphs";
import { headOf } from "../threads/checkpoints";
import type { ThreadRecord } from "../threads/records";
import type { RunRecord, Span } from "./records";

/** Price of a token in dollars; the emulator's own. */
const price = { prompt: 0.15e-6, completion: 0.6e-6 };

/** The name of the simulated model. */
const modelName = "echo-model";

/**
 * Writes a finished run to the tracing project of its deployment: a root run, a child for each node, and below it the call
 * of the model. All contain `thread_id` (interface.md section 1 B).
 */
export function writeTrace(context: Context, thread: ThreadRecord, run: RunRecord): void {
  const deployment = deploymentById(context.store, thread.deployment_id);
  if (!deployment) return;
  const { tenant_id: tenantId, name } = deployment;
  const { project } = openProject(context, { tenantId, project: name });
  const extra = { metadata: metadataOf(thread, run), runtime: { runtime: "emulator" } };
  const root = rootOf(context, thread, run);
  const children = run.spans.flatMap((span) => nodeRuns(run.id, span));
  insertRuns(
    context.store,
    tenantId,
    project.id,
    [root, ...children].map((row) => ({ ...row, extra })),
  );
}

function metadataOf({ id, metadata }: ThreadRecord, { id: run_id, assistant_id, graph_id, metadata: own }: RunRecord) {
  return { ...metadata, ...own, thread_id: id, run_id, assistant_id, graph_id };
}

function rootOf({ store, clock }: Context, thread: ThreadRecord, run: RunRecord): RunInput {
  const { id, graph_id: name, started_at, request, error, spans } = run;
  const usages = spans.flatMap(({ model }) => (model ? [usageOf(model)] : []));
  const total = (pick: (usage: ReturnType<typeof usageOf>) => number) =>
    usages.reduce((sum, usage) => sum + pick(usage), 0);
  const spoke = spans.find(({ model }) => model);
  return {
    id,
    name,
    run_type: "chain",
    start_time: iso(started_at ?? clock.now()),
    end_time: clock.isoNow(),
    error,
    inputs: request.input ?? request.command ?? null,
    outputs: headOf(store, thread)?.state ?? null,
    tags: [],
    ...(spoke && {
      prompt_tokens: total((usage) => usage.prompt_tokens),
      completion_tokens: total((usage) => usage.completion_tokens),
      prompt_cost: total((usage) => usage.prompt_cost),
      completion_cost: total((usage) => usage.completion_cost),
      first_token_time: iso(firstToken(spoke)),
    }),
  };
}

function nodeRuns(root: string, span: Span): RunInput[] {
  const { node: name, input: inputs, output: outputs, error, model } = span;
  const id = randomUUID();
  const times = { start_time: iso(span.start), end_time: iso(span.end) };
  const own = { id, parent_run_id: root, name, run_type: "chain", ...times, inputs, outputs, error, tags: [] };
  if (!model) return [own];
  const first_token_time = iso(firstToken(span));
  const request = {
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
  return [{ ...own, ...usageOf(model), first_token_time }, request];
}

function usageOf({ prompt, answer }: ModelCall) {
  const [prompt_tokens, completion_tokens] = [tokensIn(prompt), tokensIn(answer)];
  const [prompt_cost, completion_cost] = [prompt_tokens * price.prompt, completion_tokens * price.completion];
  return { prompt_tokens, completion_tokens, prompt_cost, completion_cost };
}

/** Returns the simulated time of the first token: halfway through the call. */
function firstToken({ start, end }: Span): number {
  return start + Math.floor((end - start) / 2);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
