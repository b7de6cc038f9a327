/** Runs the workflow of an example locally, against a repository on this machine. */
import { execFile, execFileSync } from "node:child_process";
import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { ROOT } from "../packages/checkout";
import { evaluateCondition, listOf, type Status, type Values } from "./expressions";
import { type Comment, FAKE_GH, type Issue, STRANGER } from "./fake-gh";
import { type Job, type JobResult, JobRunner } from "./job-runner";

export type { Values };

const run = promisify(execFile);

interface Workflow {
  env?: Record<string, string>;
  jobs: Record<string, Job>;
}

const GIT_ENV = {
  GIT_AUTHOR_NAME: "dev",
  GIT_AUTHOR_EMAIL: "dev@example.com",
  GIT_COMMITTER_NAME: "dev",
  GIT_COMMITTER_EMAIL: "dev@example.com",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

export class Pipeline {
  private readonly runner: JobRunner;

  private constructor(
    private readonly folder: string,
    private readonly workflow: Workflow,
    private readonly values: Values,
  ) {
    const store = (name: string) => join(folder, `${name}.json`);
    const gh = { COMMENTS: store("comments"), ISSUES: store("issues"), FAILED_JOBS: store("failed-jobs") };
    this.runner = new JobRunner(folder, gh);
  }

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
    await writeFile(join(folder, "bin", "gh"), FAKE_GH);
    await chmod(join(folder, "bin", "gh"), 0o755);
    return pipeline;
  }

  /** Commits a text replacement in a file and pushes it to a branch. @param file The program by default. */
  async commit(branch: string, change?: [from: string, to: string], file = "index.ts"): Promise<void> {
    const path = join(this.folder, "work", file);
    if (change) await writeFile(path, (await readFile(path, "utf8")).replaceAll(...change));
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
    return (await this.stored<Comment>("comments")).map(({ body }) => body);
  }

  /** Adds a comment of another user to the pull request. */
  async addComment(body: string): Promise<void> {
    const comments = await this.stored<Comment>("comments");
    await this.store("comments", [...comments, { id: comments.length + 1, body, user: STRANGER }]);
  }

  issues(): Promise<Issue[]> {
    return this.stored("issues");
  }

  /** Runs the one job that this event starts. @throws Error when there is no such job, or more than one. */
  async runEvent(branch: string, values: Values): Promise<JobResult> {
    const all = this.valuesOf(branch, values);
    const started = Object.entries(this.workflow.jobs).filter(([, job]) =>
      evaluateCondition(job.if ?? "success()", all, "success"),
    );
    const [[name, job] = ["", { steps: [] }], ...others] = started;
    if (!name || others.length > 0) throw new Error(`This event starts ${started.length} jobs.`);
    return this.runJob(name, job, branch, all);
  }

  /** Runs all jobs that this event starts, one after another. A job of a matrix is named `<job> (<stack>)`. */
  async runWorkflow(branch: string, values: Values): Promise<JobResult[]> {
    const all = this.valuesOf(branch, values);
    const results: JobResult[] = [];
    await this.runner.clearArtifacts();
    await this.store("failed-jobs", []);
    for (const [name, job] of Object.entries(this.workflow.jobs)) {
      const needed = [job.needs ?? []].flat().map((need) => all[`needs.${need}.result`] as Status);
      const status = needed.find((result) => result !== "success") ?? "success";
      all[`needs.${name}.result`] = "skipped";
      if (!evaluateCondition(job.if ?? "success()", all, status)) continue;
      all[`needs.${name}.result`] = "success";
      for (const stack of job.strategy ? listOf(job.strategy.matrix.stack, all) : [undefined]) {
        const [title, more] = stack ? [`${name} (${stack})`, { "matrix.stack": stack }] : [name, {}];
        const result = await this.runJob(title, job, branch, { ...all, ...more });
        results.push(result);
        if (result.failed) all[`needs.${name}.result`] = "failure";
        for (const [key, value] of Object.entries(result.outputs)) all[`needs.${name}.outputs.${key}`] = value;
        const failed = results.filter((one) => one.failed).map((one) => one.name);
        await this.store("failed-jobs", failed);
      }
    }
    return results;
  }

  /** Kills all processes of the running job, as when its runner is lost. */
  killRunner(): Promise<void> {
    return this.runner.kill();
  }

  private runJob(name: string, job: Job, branch: string, values: Values): Promise<JobResult> {
    return this.runner.runJob(name, { ...job, env: { ...this.workflow.env, ...job.env } }, branch, values);
  }

  private valuesOf(branch: string, values: Values): Values {
    return { ...this.values, "github.ref": `refs/heads/${branch}`, ...values };
  }

  private async stored<T>(name: string): Promise<T[]> {
    return JSON.parse(await readFile(join(this.folder, `${name}.json`), "utf8").catch(() => "[]"));
  }

  private store(name: string, list: readonly unknown[]): Promise<void> {
    return writeFile(join(this.folder, `${name}.json`), JSON.stringify(list));
  }

  private git(...args: string[]): Promise<unknown> {
    return run("git", args, { cwd: join(this.folder, "work"), env: { ...process.env, ...GIT_ENV } });
  }
}
