/** Rolls out revisions of the agent beside this file with the real engine, and sees what is live afterwards. */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { agentEntry, agentsFile } from "../../../emulator/test/support/agents/agents";
import type { CommandResult } from "../support/cli";
import type { CliStack } from "../support/cli-stack";
import { waitUntil } from "../support/wait-until";
import { API_KEY, type RemoteDeployment, World } from "../support/world";
import { type BadRevision, inputsOf, QUESTIONS, type Revision } from "./revisions";

/** How long a revision may be live after a check of it has failed, with the checks and the start of the engine. */
const LONGEST_MS = 60_000;

/** The emulator, which runs agent.mjs for every deployment. */
export const agentWorld = (): World => {
  const start = [process.execPath, join(__dirname, "agent.mjs"), "{port}", "{image}"];
  return new World({
    ...{ strict: true, speed: "instant", apiKey: API_KEY },
    agents: agentsFile([agentEntry("", { folder: __dirname, start })]),
  });
};

/** Writes the program of a stack, which declares one deployment with these inputs. */
export type Declare = (stack: CliStack, inputs: Record<string, unknown>) => Promise<void>;

export class VerifiedRollouts {
  private lastGood: Revision & { release: string } = { release: "" };
  private count = 0;
  private id = "";

  constructor(
    private readonly world: World,
    private readonly stack: CliStack,
    private readonly declare: Declare,
  ) {}

  /** Deploys the first revision. */
  async start(first: Revision): Promise<void> {
    const { folder } = this.stack.program;
    await copyFile(join(__dirname, "self-test.mjs"), join(folder, "self-test.mjs"));
    await this.stack.program.file("questions.jsonl", QUESTIONS);
    await this.stays(first);
  }

  /** Expects that a revision passes its checks and is live. */
  async stays(revision: Revision): Promise<void> {
    const next = this.next(revision);
    const { code, output } = await this.rollOut(next);
    if (code !== 0) throw new Error(`A good revision is red: ${JSON.stringify(revision)}\n${output}`);
    this.lastGood = next;
    await this.expectLive();
  }

  /** Expects that a revision fails a check, and that the last good one is live again. @returns The failed run. */
  async isUndone(revision: BadRevision): Promise<CommandResult> {
    const { check, reason, ...change } = revision;
    const before = (await this.remote()).revisions.length;
    const begin = performance.now();
    const failed = await this.rollOut(this.next(change));
    const took = performance.now() - begin;
    const { output } = failed;
    if (failed.code === 0) throw new Error(`A bad revision is green: ${JSON.stringify(revision)}\n${output}`);
    expect(output).toContain(check);
    expect(output).toMatch(reason);
    expect(output).toMatch(/rolled back/i);
    await this.expectLive();
    expect((await this.remote()).revisions).toHaveLength(before + 2);
    expect(took).toBeLessThan(LONGEST_MS);
    return failed;
  }

  /** A revision without a behavior keeps the image of the last good one. */
  private next(revision: Revision): Revision & { release: string } {
    const { release, behavior } = this.lastGood;
    return {
      ...(revision.behavior === undefined ? { release, behavior } : { release: `1.${++this.count}.0` }),
      ...revision,
    };
  }

  private async rollOut({ release, ...revision }: Revision & { release: string }): Promise<CommandResult> {
    await this.declare(this.stack, inputsOf(release, revision));
    return this.stack.up();
  }

  /** Expects that the last good revision is live, recorded as verified, and answers. */
  private async expectLive(): Promise<void> {
    const { id = "", outputs } = (await this.stack.resources()).get("agent") ?? {};
    this.id = id;
    const { active_revision_id: active, latest_revision_id: latest } = await this.remote();
    expect(active).toBe(latest);
    expect(outputs?.verifiedRevisionId).toBe(active);
    const { release } = this.lastGood;
    await waitUntil(
      async () => (await this.answers("GET", "report")).includes(`"${release}"`),
      () => `the report of release ${release}`,
    );
    const input = { messages: [{ role: "user", content: "When are you open?" }] };
    await waitUntil(
      async () =>
        (await this.answers("POST", "runs/wait", { assistant_id: "support", input })).includes("from 9 to 17"),
      () => `the answer of release ${release}`,
    );
  }

  private async remote(): Promise<RemoteDeployment> {
    const remote = await this.world.getDeployment(this.id);
    if (!remote) throw new Error("The deployment does not exist.");
    return remote;
  }

  private async answers(method: string, path: string, body?: object): Promise<string> {
    const headers = { "x-api-key": API_KEY, "x-team": "support", "content-type": "application/json" };
    const request = { method, headers, signal: AbortSignal.timeout(2000), ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${this.world.url}/agents/${this.id}/${path}`, request).catch(() => undefined);
    return (await response?.text().catch(() => "")) ?? "";
  }
}

/** The program in JavaScript. */
export const declareInJavaScript =
  (module: string): Declare =>
  ({ program }, inputs) =>
    program.file(
      "index.js",
      `const { Deployment } = require("${module}");
      const agent = new Deployment("agent", ${JSON.stringify(inputs)});
      exports.verifiedRevisionId = agent.verifiedRevisionId;`,
    );
