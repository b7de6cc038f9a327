/** Runs the workflow of an example locally: the shell steps of the jobs that an event starts. */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { type Comment, FAKE_GH, STRANGER } from "../../support/fake-gh";
import { runEnvironment } from "../../support/run/environment";
import { ROOT } from "./checkout";
import { packageFolder } from "./packages";

const run = promisify(execFile);

/** Values of `${{ … }}` expressions. A missing one is empty, as in the real runner. */
export type Values = Record<string, string>;

interface Step {
  uses?: string;
  run?: string;
  if?: string;
  env?: Record<string, string>;
}
interface Workflow {
  env?: Record<string, string>;
  jobs: Record<string, { if?: string; env?: Record<string, string>; steps: Step[] }>;
}

/** The result of a job. */
export interface JobResult {
  name: string;
  failed: boolean;
  output: string;
  /** The Markdown of its summary page. */
  summary: string;
}

const GIT_ENV = {
  GIT_AUTHOR_NAME: "dev",
  GIT_AUTHOR_EMAIL: "dev@example.com",
  GIT_COMMITTER_NAME: "dev",
  GIT_COMMITTER_EMAIL: "dev@example.com",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

export class Pipeline {
  private runCount = 0;
  private current: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly workflow: Workflow,
    private readonly values: Values,
  ) {}

  /** Creates a bare repository with the example on its main branch. */
  static async create(example: string, folder: string, values: Values): Promise<Pipeline> {
    const source = join(ROOT, "examples", example);
    const work = join(folder, "work");
    await cp(source, work, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
    await writeFile(join(work, ".gitignore"), "node_modules/\n");
    const [file = ""] = execFileSync("find", [join(work, ".github/workflows"), "-type", "f"])
      .toString()
      .split("\n");
    const workflow: Workflow = parse(await readFile(file, "utf8"));
    const pipeline = new Pipeline(folder, workflow, values);
    await run("git", ["init", "--quiet", "--bare", "--initial-branch=main", join(folder, "remote.git")]);
    await pipeline.git("init", "--quiet", "--initial-branch=main");
    await pipeline.git("remote", "add", "origin", join(folder, "remote.git"));
    await pipeline.commit("main");
    for (const name of ["bin", "home"]) await mkdir(join(folder, name));
    await pipeline.script(join(folder, "bin", "gh"), FAKE_GH);
    await writeFile(join(folder, "comments.json"), "[]");
    return pipeline;
  }

  /** Commits a text replacement in the program and pushes it to a branch. */
  async commit(branch: string, change?: [from: string, to: string]): Promise<void> {
    const program = join(this.folder, "work", "index.ts");
    if (change) await writeFile(program, (await readFile(program, "utf8")).replaceAll(...change));
    await this.git("checkout", "--quiet", "-B", branch);
    await this.git("add", "--all");
    await this.git("commit", "--quiet", "--allow-empty", "--message", "Change the agent");
    await this.git("push", "--quiet", "--force", "origin", branch);
  }

  /** Fast-forwards main to a branch. */
  merge(branch: string): Promise<unknown> {
    return this.git("push", "--quiet", "--force", "origin", `${branch}:main`);
  }

  async comments(): Promise<string[]> {
    return (await this.readComments()).map(({ body }) => body);
  }

  /** Adds a comment of another user to the pull request. */
  async addComment(body: string): Promise<void> {
    const comments = await this.readComments();
    const all = [...comments, { id: comments.length + 1, body, user: STRANGER }];
    await writeFile(join(this.folder, "comments.json"), JSON.stringify(all));
  }

  private async readComments(): Promise<Comment[]> {
    return JSON.parse(await readFile(join(this.folder, "comments.json"), "utf8"));
  }

  /** Runs the one job that this event starts. @throws Error when there is no such job, or more than one. */
  async runEvent(branch: string, values: Values): Promise<JobResult> {
    const all = { ...this.values, "github.ref": `refs/heads/${branch}`, ...values };
    const started = Object.entries(this.workflow.jobs).filter(([, job]) =>
      evaluateCondition(job.if ?? "'always'", all),
    );
    const [[name, job] = ["", { steps: [] }], ...others] = started;
    if (!name || others.length > 0) throw new Error(`This event starts ${started.length} jobs.`);
    const checkout = join(this.folder, `run-${++this.runCount}`);
    const files = { summary: `${checkout}.summary`, script: `${checkout}.sh` };
    await writeFile(files.summary, "");
    let [failed, output] = [false, ""];
    for (const step of job.steps) {
      const condition = step.if ?? "success()";
      if (failed && !condition.includes("!cancelled()")) continue;
      if (!evaluateCondition(condition, all)) continue;
      const env = { ...this.workflow.env, ...job.env, ...step.env };
      const stepEnv = Object.fromEntries(Object.entries(env).map(([key, text]) => [key, interpolate(text, all)]));
      if (step.uses?.startsWith("actions/checkout")) {
        await run("git", ["clone", "--quiet", "--branch", branch, join(this.folder, "remote.git"), checkout]);
      } else if (step.run === "npm ci") await this.install(checkout);
      else if (step.run) {
        await writeFile(files.script, interpolate(step.run, all));
        const ended = await this.shell(files.script, checkout, { ...stepEnv, GITHUB_STEP_SUMMARY: files.summary });
        output += ended.output;
        failed ||= ended.code !== 0;
      }
    }
    await rm(checkout, { recursive: true, force: true });
    return { name, failed, output, summary: await readFile(files.summary, "utf8") };
  }

  /** Kills all processes of the running job, as when its runner is lost. */
  async killRunner(): Promise<void> {
    const all = await descendants(this.current?.pid ?? 0);
    for (const pid of all.reverse()) process.kill(pid, "SIGKILL");
  }

  private async shell(
    script: string,
    cwd: string,
    env: Record<string, string>,
  ): Promise<{ code: number | null; output: string }> {
    const child = this.spawn(["bash", "-e", script], cwd, env);
    this.current = child;
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text) => (output += text));
    await once(child, "close");
    return { code: child.exitCode, output };
  }

  private spawn([program = "", ...args]: string[], cwd: string, env: Record<string, string>): ChildProcess {
    const baseEnv = {
      ...runEnvironment(),
      PATH: [join(this.folder, "bin"), process.env.PATH].join(delimiter),
      HOME: join(this.folder, "home"),
      COMMENTS: join(this.folder, "comments.json"),
      CI: "true",
      NO_COLOR: "1",
      NPM_CONFIG_OFFLINE: "true",
      GITHUB_REPOSITORY: "team/agents",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      // The types of the program are checked in examples.e2e.test.ts.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    };
    return spawn(program, args, { cwd, env: { ...baseEnv, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  }

  /** Links the package and the SDK, in place of `npm ci`. */
  private async install(folder: string): Promise<void> {
    const modules = join(folder, "node_modules");
    for (const name of ["@pulumi", ".bin"]) await mkdir(join(modules, name), { recursive: true });
    await symlink(packageFolder(), join(modules, "pulumi-agentgraph"));
    await symlink(join(ROOT, "node_modules/@pulumi/pulumi"), join(modules, "@pulumi/pulumi"));
    const command = `#!/bin/sh\nexec node ${JSON.stringify(join(packageFolder(), "dist/cli/main.js"))} "$@"\n`;
    await this.script(join(modules, ".bin", "agentgraph"), command);
  }

  private async script(path: string, text: string): Promise<void> {
    await writeFile(path, text);
    await chmod(path, 0o755);
  }

  private git(...args: string[]): Promise<unknown> {
    return run("git", args, { cwd: join(this.folder, "work"), env: { ...process.env, ...GIT_ENV } });
  }
}

/** Evaluates the subset of the expression language that the workflows use, such as `a == 'b' && c != d || e`. */
function evaluateCondition(condition: string, values: Values): boolean {
  const plain = condition.replace(/^\$\{\{(.*)\}\}$/, "$1");
  const value = (word: string) => /^'(.*)'$/.exec(word)?.[1] ?? values[word] ?? "";
  const one = (part: string) => {
    if (/^(!cancelled|success)\(\)$/.test(part)) return true;
    const [left = "", operator, right = ""] = part.split(/\s+(==|!=)\s+/);
    return operator ? (value(left) === value(right)) === (operator === "==") : value(left) !== "";
  };
  return plain.split("||").some((some) => some.split("&&").every((part) => one(part.trim())));
}

const interpolate = (text: string, values: Values) =>
  text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, name) => values[name] ?? "");

/** Returns the IDs of a process and its descendants, parents first. */
async function descendants(parent: number): Promise<number[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid="]);
  const pairs = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const tree = (pid: number): number[] => [pid, ...pairs.flatMap(([child = 0, of]) => (of === pid ? tree(child) : []))];
  return tree(parent);
}
