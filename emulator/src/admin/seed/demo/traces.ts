import type { Feedback } from "../../../tracing/feedback";
import type { RunInput } from "../../../tracing/read-run";
import { type Dice, uuidOf } from "./prng";
import type { Agent, Step } from "./workspace";

/** The parameters of a generated trace. */
interface Trace {
  agent: Agent;
  /** The source of its IDs. */
  name: string;
  /** Milliseconds since 1970. */
  at: number;
  talk: [question: string, answer: string];
  dice: Dice;
  failing: boolean;
  change: Partial<RunInput>;
}

/** An executed step with its child runs. */
interface Done {
  runs: RunInput[];
  end: number;
  error: string | null;
  prompt: number;
  completion: number;
}

/** Returns the runs of a trace, parents first. */
export function traceRuns(trace: Trace): RunInput[] {
  const { agent, talk, change } = trace;
  const { runs } = perform(
    trace,
    { name: agent.name, run_type: "chain", takes: [2, 10], steps: agent.steps },
    trace.at,
  );
  const [root, ...others] = runs as [RunInput, ...RunInput[]];
  const answer = root.error === undefined ? { outputs: { answer: talk[1] } } : {};
  return [{ ...root, ...answer, ...change, inputs: { question: talk[0] } }, ...others];
}

function perform(trace: Trace, step: Step, at: number, path = "", parent?: string): Done {
  const { agent, dice } = trace;
  const own = `${path}/${step.name}`;
  const id = uuidOf(trace.name + own);
  const done: Done = { runs: [], end: at + dice.between(...step.takes), error: null, prompt: 0, completion: 0 };
  if (step.run_type === "llm")
    Object.assign(done, { prompt: dice.between(150, 1200), completion: dice.between(20, 400) });
  for (const next of step.steps ?? []) {
    const below = perform(trace, next, done.end, own, id);
    done.runs.push(...below.runs);
    done.end = below.end;
    done.prompt += below.prompt;
    done.completion += below.completion;
    done.error = below.error;
    // Steps after a failure do not run.
    if (done.error !== null) break;
  }
  if (trace.failing && step.fails !== undefined && dice.chance(0.6)) {
    done.error = step.fails;
    trace.failing = false;
  }
  const run: RunInput = {
    id,
    name: step.name,
    run_type: step.run_type,
    start_time: iso(at),
    end_time: iso(done.end),
    trace_tier: "longlived",
    ...(parent === undefined ? {} : { parent_run_id: parent }),
    ...(done.error === null ? {} : { error: done.error }),
    ...(step.run_type === "llm" && streamed(at, done.end)),
    ...(done.prompt > 0 && tokensOf(agent, done)),
    ...contentOf(trace, step, done),
  };
  return { ...done, runs: [run, ...done.runs] };
}

function streamed(at: number, end: number): Partial<RunInput> {
  const first_token_time = iso(at + (end - at) / 4);
  return {
    first_token_time,
    events: [
      { name: "start", time: iso(at) },
      { name: "new_token", time: first_token_time },
    ],
  };
}

function tokensOf({ model }: Agent, { prompt, completion }: Done): Partial<RunInput> {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    prompt_cost: prompt * model.promptPrice,
    completion_cost: completion * model.completionPrice,
  };
}

function contentOf({ agent, talk }: Trace, step: Step, { error }: Done): Partial<RunInput> {
  if (step.run_type === "llm") {
    const outputs = { role: "assistant", content: step.answers ? talk[1] : "I look that up." };
    return {
      inputs: { messages: [{ role: "user", content: talk[0] }] },
      ...(error === null && { outputs }),
      extra: { metadata: { model: agent.model.name, temperature: 0 } },
    };
  }
  if (step.run_type === "chain") return {};
  return { inputs: { query: talk[0] }, ...(error === null && { outputs: { found: 1 + (talk[1].length % 4) } }) };
}

/** Returns the feedback of a user, if any. */
export function opinion(dice: Dice, failed: boolean): Feedback[] {
  if (!dice.chance(failed ? 0.5 : 0.2)) return [];
  const good = !failed && dice.chance(0.85);
  const comment = dice.oneOf(good ? ["helpful", "quick", "friendly"] : ["wrong", "too slow", "not what I asked"]);
  return [
    { key: "user_score", score: good ? 1 : 0 },
    { key: "user_comment", value: comment },
  ];
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
