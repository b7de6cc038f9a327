import type { Feedback } from "../../../tracing/feedback";
import type { RunInput } from "../../../tracing/read-run";
import { type RandomGenerator, uuidFromName } from "./prng";
import type { Agent, Step } from "./workspace";

/** The parameters of a generated trace. */
interface Trace {
  agent: Agent;
  /** The source of its IDs. */
  name: string;
  /** Milliseconds since 1970. */
  at: number;
  dialog: [question: string, answer: string];
  random: RandomGenerator;
  failing: boolean;
  change: Partial<RunInput>;
}

/** An executed step with its child runs. */
interface StepResult {
  runs: RunInput[];
  end: number;
  error: string | null;
  prompt: number;
  completion: number;
}

/** Returns the runs of a trace, parents first. */
export function traceRuns(trace: Trace): RunInput[] {
  const { agent, dialog, change } = trace;
  const { runs } = runStep(
    trace,
    { name: agent.name, run_type: "chain", durationMs: [2, 10], steps: agent.steps },
    trace.at,
  );
  const [root, ...others] = runs as [RunInput, ...RunInput[]];
  const answer = root.error === undefined ? { outputs: { answer: dialog[1] } } : {};
  return [{ ...root, ...answer, ...change, inputs: { question: dialog[0] } }, ...others];
}

function runStep(trace: Trace, step: Step, at: number, parent?: { id: string; path: string }): StepResult {
  const { agent, random } = trace;
  const path = `${parent?.path ?? ""}/${step.name}`;
  const id = uuidFromName(trace.name + path);
  const result: StepResult = {
    runs: [],
    end: at + random.between(...step.durationMs),
    error: null,
    prompt: 0,
    completion: 0,
  };
  if (step.run_type === "llm")
    Object.assign(result, { prompt: random.between(150, 1200), completion: random.between(20, 400) });
  for (const next of step.steps ?? []) {
    const child = runStep(trace, next, result.end, { id, path });
    result.runs.push(...child.runs);
    result.end = child.end;
    result.prompt += child.prompt;
    result.completion += child.completion;
    result.error = child.error;
    // Steps after a failure do not run.
    if (result.error !== null) break;
  }
  if (trace.failing && step.errorMessage !== undefined && random.chance(0.6)) {
    result.error = step.errorMessage;
    trace.failing = false;
  }
  const run: RunInput = {
    id,
    name: step.name,
    run_type: step.run_type,
    start_time: toIsoString(at),
    end_time: toIsoString(result.end),
    trace_tier: "longlived",
    ...(parent === undefined ? {} : { parent_run_id: parent.id }),
    ...(result.error === null ? {} : { error: result.error }),
    ...(step.run_type === "llm" && streamFields(at, result.end)),
    ...(result.prompt > 0 && tokenFields(agent, result)),
    ...contentFields(trace, step, result),
  };
  return { ...result, runs: [run, ...result.runs] };
}

function streamFields(at: number, end: number): Partial<RunInput> {
  const first_token_time = toIsoString(at + (end - at) / 4);
  return {
    first_token_time,
    events: [
      { name: "start", time: toIsoString(at) },
      { name: "new_token", time: first_token_time },
    ],
  };
}

function tokenFields({ model }: Agent, { prompt, completion }: StepResult): Partial<RunInput> {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    prompt_cost: prompt * model.promptPrice,
    completion_cost: completion * model.completionPrice,
  };
}

function contentFields({ agent, dialog }: Trace, step: Step, { error }: StepResult): Partial<RunInput> {
  if (step.run_type === "llm") {
    const outputs = { role: "assistant", content: step.isAnswer ? dialog[1] : "I look that up." };
    return {
      inputs: { messages: [{ role: "user", content: dialog[0] }] },
      ...(error === null && { outputs }),
      extra: { metadata: { model: agent.model.name, temperature: 0 } },
    };
  }
  if (step.run_type === "chain") return {};
  return { inputs: { query: dialog[0] }, ...(error === null && { outputs: { found: 1 + (dialog[1].length % 4) } }) };
}

/** Returns the feedback of a user, if any. */
export function userFeedback(random: RandomGenerator, failed: boolean): Feedback[] {
  if (!random.chance(failed ? 0.5 : 0.2)) return [];
  const isPositive = !failed && random.chance(0.85);
  const comment = random.pick(
    isPositive ? ["helpful", "quick", "friendly"] : ["wrong", "too slow", "not what I asked"],
  );
  return [
    { key: "user_score", score: isPositive ? 1 : 0 },
    { key: "user_comment", value: comment },
  ];
}

function toIsoString(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
