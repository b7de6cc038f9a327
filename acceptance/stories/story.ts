/** What a story is, and what it receives. */
import { Stack } from "../engine/stack.ts";
import type { Group, Host, Options } from "../options.ts";
import type { Server } from "../target/server.ts";

export interface Story {
  name: string;
  group: Group;
  /** Returns why it cannot run; undefined if it can. */
  lacks: (run: Run) => string | undefined;
  /** The hosts that it runs with (default: all). */
  hosts?: readonly Host[];
  /** What it creates, for the announcement. */
  creates: (run: Run) => { text: string; deployments: number; rollouts: number };
  /** Facts of docs/platform-api/ that it looks at, where a report has to say why nothing was seen. */
  looksAt?: readonly string[];
  tell: (told: Told) => Promise<void>;
}

/** What all stories of a run share. */
export interface Run {
  options: Options;
  server: Server;
  /** Prefix and ID of the run: the beginning of every name. */
  id: string;
  folder: string;
  /** Environment of commands. */
  env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C. */
  stop: AbortSignal;
  /** Says what a story does now, where that takes long. */
  progress: (text: string) => void;
}

/** How a part of a story ended that the run could not try. */
export interface Skip {
  what: string;
  why: string;
}

/** What a story found out about a fact of docs/platform-api/. */
export interface FactResult {
  id: string;
  seen: "holds" | "differs" | "not seen";
  /** What the server did instead, or why it was not seen. */
  detail?: string;
}

/** A story in progress. */
export class Told {
  readonly skips: Skip[] = [];
  readonly facts: FactResult[] = [];
  readonly stacks: Stack[] = [];
  /** What else the clean-up does, also after a failure. */
  readonly lastly: (() => Promise<unknown>)[] = [];
  /** What the story does now, for the report of a failure. */
  now = "begin";

  readonly run: Run;
  readonly host: Host;
  private readonly story: string;

  constructor(run: Run, host: Host, story: string) {
    this.run = run;
    this.host = host;
    this.story = story;
  }

  /**
   * The beginning of the names that the story creates, and of no names of another: its clean-up removes what begins
   * with it.
   */
  get name(): string {
    return `${this.run.id}${this.host === "native" ? "-n" : ""}-${this.story}`;
  }

  /** Creates an empty stack of one of the programs, which the end of the story destroys. */
  async stack(program?: string, suffix = ""): Promise<Stack> {
    const { folder, env, stop } = this.run;
    const place = { folder, host: this.host, env, stop };
    const stack = await Stack.create(`${this.story}-${this.host}${suffix}`, place, program);
    this.stacks.push(stack);
    return stack;
  }

  /** Performs a part of the story. @throws Interrupted after Ctrl-C. */
  async step<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (this.run.stop.aborted) throw new Interrupted();
    this.now = what;
    this.run.progress(`${this.story} (${this.host}): ${what} …`);
    const result = await work();
    if (this.run.stop.aborted) throw new Interrupted();
    return result;
  }

  skip(what: string, why: string): void {
    this.skips.push({ what, why });
  }

  /** Notes that the story could not look at a fact. */
  notSeen(id: string, why: string): void {
    this.facts.push({ id, seen: "not seen", detail: why });
  }

  /** Notes whether a fact holds, which does not decide whether the story passes. */
  saw(id: string, holds = true, instead = ""): void {
    this.facts.push(holds ? { id, seen: "holds" } : { id, seen: "differs", detail: instead });
  }
}

/** A story stopped because of Ctrl-C. */
export class Interrupted extends Error {
  constructor() {
    super("interrupted");
  }
}

/** What a story expected did not happen. */
export class StoryFailure extends Error {}

/** @throws StoryFailure with what was expected, and what happened. */
export function expect(condition: unknown, what: string, happened = ""): asserts condition {
  if (!condition) throw new StoryFailure(`Expected: ${what}.${happened ? `\n${happened.trim()}` : ""}`);
}

/** @throws StoryFailure with the output of a command that did not succeed. */
export function expectSuccess({ code, output }: { code: number | null; output: string }, command: string): void {
  expect(code === 0, `${command} succeeds`, output);
}

/** Expects that the steps of a command are these, in any order. */
export function expectSteps(actual: readonly string[], wanted: readonly string[], output: string): void {
  const [all, expected] = [[...actual].sort().join(", "), [...wanted].sort().join(", ")];
  expect(all === expected, `the steps ${expected || "none"}, not ${all || "none"}`, output);
}
