/** Runs the stories, and cleans up after each, however it ends. */
import type { Host } from "./options.ts";
import { stories } from "./stories/index.ts";
import { type FactResult, Interrupted, type Run, type Skip, type Story, Told } from "./stories/story.ts";
import { type Left, removeRun } from "./sweep/remove.ts";

/** Of a platform, which bills them. */
const MAX_DEPLOYMENTS = 6;
/** Each story mostly waits, but engines need memory. */
const MAX_STORIES = 4;

export interface StoryResult {
  story: string;
  host: Host;
  outcome: "passed" | "failed" | "skipped" | "interrupted";
  seconds: number;
  /** Why it was skipped, or what failed. */
  why?: string;
  skips: readonly Skip[];
  /** What the clean-up could not remove. */
  left: readonly Left[];
  facts: readonly FactResult[];
}

/** A story with its host, and why it is skipped. */
export interface Planned {
  story: Story;
  host: Host;
  lacks: string | undefined;
}

export function plan(run: Run): Planned[] {
  const { only, hosts } = run.options;
  const chosen = stories.filter(({ group }) => only.includes(group));
  return hosts.flatMap((host) =>
    chosen
      .filter(({ hosts: supported }) => supported === undefined || supported.includes(host) || hosts.length === 1)
      .map((story) => ({ story, host, lacks: story.lacks(run) })),
  );
}

/** Runs the planned stories. @param report Receives each result when it is known. */
export async function tellAll(run: Run, all: readonly Planned[], report: (result: StoryResult) => void) {
  const results = new Map<Planned, StoryResult>();
  const waiting = [...all];
  const running = new Set<Planned>();
  await new Promise<void>((resolve) => {
    const next = () => {
      for (const one of [...waiting]) {
        const deployments = [...running, one].reduce((sum, { story }) => sum + story.creates(run).deployments, 0);
        if (running.size > 0 && (deployments > MAX_DEPLOYMENTS || running.size >= MAX_STORIES)) continue;
        waiting.splice(waiting.indexOf(one), 1);
        running.add(one);
        void tell(run, one).then((result) => {
          results.set(one, result);
          report(result);
          running.delete(one);
          next();
        });
      }
      if (running.size === 0 && waiting.length === 0) resolve();
    };
    next();
  });
  return all.flatMap((one) => results.get(one) ?? []);
}

async function tell(run: Run, { story, host, lacks }: Planned): Promise<StoryResult> {
  const result = { story: story.name, host, seconds: 0, skips: [], left: [], facts: [] };
  if (lacks) return { ...result, outcome: "skipped", why: lacks };
  if (run.stop.aborted) return { ...result, outcome: "interrupted" };
  const begin = Date.now();
  const told = new Told(run, host, story.name);
  const failure = await story.tell(told).then(
    () => undefined,
    (error: unknown) => error,
  );
  const { left, problem } = await cleanUp(told);
  const seconds = Math.round((Date.now() - begin) / 100) / 10;
  const ended = { ...result, seconds, skips: told.skips, left, facts: told.facts };
  if (failure instanceof Interrupted || (failure && run.stop.aborted)) return { ...ended, outcome: "interrupted" };
  const why = [failure && `${told.now}: ${messageOf(failure)}`, problem].filter(Boolean).join("\n");
  return why ? { ...ended, outcome: "failed", why } : { ...ended, outcome: "passed" };
}

/** Destroys the stacks of a story, and removes what is left of it by direct requests. */
async function cleanUp(told: Told): Promise<{ left: Left[]; problem?: string }> {
  for (const stack of told.stacks) {
    const resources = await stack.resources().catch(() => undefined);
    if (resources?.size !== 0) await stack.destroy().catch(() => undefined);
  }
  for (const work of told.lastly) await work().catch(() => undefined);
  try {
    const left = await removeRun(told.run.server, told.name, told.run.options.agentUrl);
    const failed = left.filter(({ removal }) => removal === "failed").length;
    return { left, ...(failed > 0 && { problem: `The clean-up could not remove ${failed} of the objects.` }) };
  } catch (error) {
    return { left: [], problem: `The clean-up failed: ${messageOf(error)}` };
  }
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
