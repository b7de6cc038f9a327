/** Writes a conversation to a server, reads it back, and compares each checkpoint. */
import { recoverFrom } from "../../http/errors";
import { isSameJson } from "../lossless-json";
import { type Checkpoint, type ConversationServer, RejectedError, type Superstep } from "../server/conversation-server";
import type { Graphs } from "../server/graphs";
import { compareLines, countUsage, withoutEnds } from "./compare-lines";
import { type LearnedGraphs, Learning } from "./learning";
import { askAgain, writeNamespace } from "./namespaces";
import { removeOwn } from "./own-thread";
import { isAbandoned, isFunction, isWaiting, lineOf, planLatest } from "./plan";
import { bareName, type Child, type Conversation, comparable } from "./read-thread";

/** What to do with the questions of threads that wait for an answer: no route can restore them. */
export type Waiting = "ask-again" | "leave" | "skip";

/** `whole`: every checkpoint is equal. `latest`: only the latest state is. */
export interface Restored {
  level: "whole" | "latest" | "none";
  /** What is not the same, in words. */
  losses: string[];
  /** Nodes that ran again because the thread asked again. */
  ranAgain: string[];
}

export interface RestoreOptions {
  target: ConversationServer;
  graphs: Graphs;
  waiting: Waiting;
  learned: LearnedGraphs;
  /** Whether only the latest state is written, without the way there. */
  isLatestOnly?: boolean;
}

/** The loss of a thread whose user would answer a question that was not the last one. */
export const OTHER_QUESTIONS = "it asks other questions than before, such as those that had an answer already";

/** Tries of one thread: what one shows of its graph, the next one uses. */
const MAX_TRIES = 8;

export async function restoreConversation(conversation: Conversation, options: RestoreOptions): Promise<Restored> {
  const { thread, graphId, history, children } = conversation;
  const { target, graphs, waiting } = options;
  const line = lineOf(history);
  const last = line.at(-1);
  const none = (loss: string): Restored => ({ level: "none", losses: [loss], ranAgain: [] });
  if (!last) {
    await post(thread, [], "raise", target);
    return { level: "whole", losses: [], ranAgain: [] };
  }
  if (graphId === undefined || !(await graphs.has(graphId)))
    return none(`its graph ${JSON.stringify(graphId ?? "unknown")} is not on the server`);
  const waits = isWaiting(last);
  if (options.isLatestOnly && last.next.length > 0)
    return none("it has not finished, and its latest state alone would not continue");
  if (waits && waiting === "skip") return none("it waits for an answer and was skipped");
  const restoration = new Restoration(conversation, line, options);
  const level = await restoration.write().catch(recoverFrom(LeftAloneError, (error) => error));
  if (level instanceof LeftAloneError) return none(level.message);
  if (level === "none") return none(restoration.differences[0] ?? "it could not be written");
  const losses = [...restoration.losses];
  const ranAgain: string[] = [];
  if (waits && waiting === "ask-again") {
    const asked = await askAgain(thread.thread_id, last, children, { ...options, graphId });
    const questions = asked ? comparable(asked).questions : [];
    if (questions.length === 0) {
      await restoration.remove();
      return none("it asked no question when it ran again, and was deleted");
    }
    if (!isSameJson(comparable(last).questions, questions)) losses.push(OTHER_QUESTIONS);
    const repeated = last.tasks.filter(({ interrupts = [], result }) => interrupts.length === 0 && result != null);
    ranAgain.push(...repeated.map(({ name }) => name));
  } else if (waits) losses.push("its questions are not asked");
  if (isFunction(line) && line.some(({ metadata }) => metadata.source === "loop"))
    losses.push("what its function saved for the next run, where that differs from its result");
  if (level === "whole" && line.some((state, index) => isAbandoned(line[index - 1], state)))
    losses.push("one more checkpoint for each run that failed or waited when the next input came");
  const usage = target.isPython ? countUsage(last.values) : 0;
  if (usage > 0) losses.push(`${usage} AI ${usage === 1 ? "message" : "messages"} without token counts`);
  return { level, losses, ranAgain };
}

class Restoration {
  readonly losses: string[] = [];
  differences: string[] = [];
  /** Whether the server has confirmed a create of this process, so that the thread is ours whatever it contains. */
  private isCreated = false;
  private readonly learning: Learning;

  constructor(
    private readonly conversation: Conversation,
    private readonly line: readonly Checkpoint[],
    private readonly options: RestoreOptions,
  ) {
    this.learning = new Learning(conversation, line, options);
  }

  async write(): Promise<Restored["level"]> {
    const { line, conversation, options } = this;
    const { inputs } = conversation;
    const last = line.at(-1) as Checkpoint;
    const isFinished = last.next.length === 0;
    if (options.isLatestOnly) return this.writeLatest(last);
    if (isFunction(line) && !inputs) return isFinished ? this.writeLatest(last) : this.fail("the inputs of its runs");
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const { supersteps, used } = this.learning.plan();
      const states = await this.tryToWrite(supersteps);
      const written = states && withoutEnds(line, states);
      this.differences = written ? compareLines(line, written, options.target.isPython) : this.differences;
      if (written && this.differences.length === 0) return "whole";
      const isLearned = written && (await this.learning.learn(written, used));
      await this.remove();
      if (!isLearned) break;
    }
    if (isFinished) return this.writeLatest(last);
    return "none";
  }

  private fail(missing: string): "none" {
    this.differences = [`the server does not show ${missing}`];
    return "none";
  }

  private async writeLatest(last: Checkpoint): Promise<Restored["level"]> {
    const reason = this.differences[0];
    const written = await this.tryToWrite(planLatest(last));
    const latest = written?.at(-1);
    if (
      latest &&
      compareLines([last], [{ ...latest, metadata: last.metadata }], this.options.target.isPython).length === 0
    ) {
      this.losses.push(`its latest state only${reason === undefined ? "" : ` (${reason})`}`);
      return "latest";
    }
    await this.remove();
    return "none";
  }

  /** Returns the line that the server has then; undefined when it rejected it. */
  private async tryToWrite(supersteps: Superstep[]): Promise<Checkpoint[] | undefined> {
    const { conversation, options } = this;
    const { thread, children } = conversation;
    const { target } = options;
    const memory = children.filter(({ namespace }) => bareName(namespace) === namespace);
    this.losses.length = 0;
    try {
      this.isCreated = false;
      await post(thread, memory.length > 0 ? [] : supersteps, "raise", target);
      this.isCreated = true;
      if (memory.length > 0) {
        for (const child of memory) await this.writeMemory(child);
        await post(thread, supersteps, "do_nothing", target);
      }
      return lineOf(await target.readHistory(thread.thread_id));
    } catch (error) {
      if (!(error instanceof RejectedError) || error.isOfEveryRequest) throw error;
      if (error.status === 409) throw new LeftAloneError("a thread of this ID exists, and was left as it is");
      // What an earlier try has shown says more.
      if (this.differences.length === 0) this.differences = [`${error.status}: ${error.detail.slice(0, 200)}`];
      return undefined;
    }
  }

  private async writeMemory({ namespace, history }: Child): Promise<void> {
    const { thread } = this.conversation;
    try {
      await writeNamespace(thread.thread_id, namespace, lineOf(history), this.options.target);
    } catch (error) {
      if (!(error instanceof RejectedError) || error.isOfEveryRequest) throw error;
      this.losses.push(`the memory of the subgraph ${JSON.stringify(namespace)}`);
    }
  }

  /** @throws LeftAloneError when the thread is not of this restore. */
  async remove(): Promise<void> {
    const { conversation, options, isCreated } = this;
    const kept = await removeOwn(conversation, options.target, isCreated);
    if (kept !== undefined) throw new LeftAloneError(kept);
  }
}

class LeftAloneError extends Error {}

/** @param if_exists With `do_nothing`, servers apply the supersteps to the thread that exists. */
const post = (
  { thread_id, metadata }: Conversation["thread"],
  supersteps: Superstep[],
  if_exists: "raise" | "do_nothing",
  target: ConversationServer,
) => {
  const body = { thread_id, metadata: metadata ?? {}, if_exists, ...(supersteps.length > 0 && { supersteps }) };
  return target.write({ method: "POST", path: "/threads", body });
};
