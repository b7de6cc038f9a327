/** Runs the jobs of a workflow locally: their shell steps, and what the actions of the examples do. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, glob, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { runEnvironment } from "../../../support/run/environment";
import { descendantsOf } from "../cli/processes";
import { ROOT } from "../packages/checkout";
import { packageFolder } from "../packages/packages";
import { evaluateCondition, interpolate, type Values } from "./expressions";

const run = promisify(execFile);

interface Step {
  id?: string;
  uses?: string;
  with?: Record<string, string | boolean | number>;
  run?: string;
  if?: string;
  env?: Record<string, string>;
}

export interface Job {
  needs?: string | string[];
  if?: string;
  env?: Record<string, string>;
  strategy?: { matrix: { stack: string } };
  outputs?: Record<string, string>;
  steps: Step[];
}

/** The result of a job. */
export interface JobResult {
  name: string;
  failed: boolean;
  output: string;
  /** The Markdown of its summary page. */
  summary: string;
  outputs: Values;
}

const interpolateAll = (texts: Record<string, unknown>, values: Values): Values =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, interpolate(String(text), values)]));

export class JobRunner {
  private runCount = 0;
  private current: ChildProcess | undefined;

  /** @param env Environment of all jobs. */
  constructor(
    private readonly folder: string,
    private readonly env: Record<string, string>,
  ) {}

  /** Removes the artifacts of the last run of the workflow. */
  clearArtifacts(): Promise<void> {
    return rm(join(this.folder, "artifacts"), { recursive: true, force: true });
  }

  async runJob(name: string, { env = {}, outputs = {}, steps }: Job, ref: string, values: Values): Promise<JobResult> {
    const all = { ...values };
    const checkout = join(this.folder, `run-${++this.runCount}`);
    const files = { GITHUB_STEP_SUMMARY: `${checkout}.summary`, GITHUB_OUTPUT: `${checkout}.output` };
    for (const file of Object.values(files)) await writeFile(file, "");
    await mkdir(checkout);
    let [failed, output] = [false, ""];
    for (const step of steps) {
      if (!evaluateCondition(step.if ?? "success()", all, failed ? "failure" : "success")) continue;
      const stepEnv = { ...interpolateAll({ ...env, ...step.env }, all), ...files };
      if (step.uses) await this.perform(step, ref, checkout, all);
      else if (step.run === "npm ci") await this.install(checkout);
      else if (step.run) {
        const ended = await this.shell(interpolate(step.run, all), checkout, stepEnv);
        output += ended.output;
        failed ||= ended.code !== 0;
        for (const [, key, value = ""] of (await readFile(files.GITHUB_OUTPUT, "utf8")).matchAll(/^(\w+)=(.*)$/gm))
          all[`steps.${step.id}.outputs.${key}`] = value;
      }
    }
    await rm(checkout, { recursive: true, force: true });
    const summary = await readFile(files.GITHUB_STEP_SUMMARY, "utf8");
    return { name, failed, output, summary, outputs: interpolateAll(outputs, all) };
  }

  /** Does what an action does: checks out, and stores or fetches artifacts. The others set up what exists. */
  private async perform(step: Step, branch: string, checkout: string, values: Values): Promise<void> {
    const { name = "", path = "", pattern = "" } = interpolateAll(step.with ?? {}, values);
    const artifacts = join(this.folder, "artifacts");
    const copy = (file: string, to: string) => cp(file, join(to, basename(file)));
    if (step.uses?.startsWith("actions/checkout"))
      await run("git", ["clone", "--quiet", "--branch", branch, join(this.folder, "remote.git"), checkout]);
    if (step.uses?.startsWith("actions/upload-artifact"))
      for await (const file of glob(path, { cwd: checkout })) await copy(join(checkout, file), join(artifacts, name));
    if (step.uses?.startsWith("actions/download-artifact"))
      for await (const file of glob(`${pattern}/*`, { cwd: artifacts }))
        await copy(join(artifacts, file), join(checkout, path));
  }

  /** Kills all processes of the running job, as when its runner is lost. */
  async kill(): Promise<void> {
    const pid = this.current?.pid ?? 0;
    for (const one of [{ pid }, ...(await descendantsOf(pid))].reverse()) process.kill(one.pid, "SIGKILL");
  }

  private async shell(text: string, cwd: string, env: Values): Promise<{ code: number | null; output: string }> {
    const script = `${cwd}.sh`;
    await writeFile(script, text);
    const child = spawn("bash", ["-e", script], {
      cwd,
      env: {
        ...runEnvironment(),
        PATH: [join(this.folder, "bin"), process.env.PATH].join(delimiter),
        HOME: join(this.folder, "home"),
        CI: "true",
        NO_COLOR: "1",
        NPM_CONFIG_OFFLINE: "true",
        GITHUB_REPOSITORY: "team/agents",
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        // The types of the program are checked in examples.e2e.test.ts.
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
        ...this.env,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.current = child;
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk) => (output += chunk));
    await once(child, "close");
    return { code: child.exitCode, output };
  }

  /** Links the package and the other dependencies, in place of `npm ci`. */
  private async install(folder: string): Promise<void> {
    const modules = join(folder, "node_modules");
    await mkdir(join(modules, ".bin"), { recursive: true });
    const { dependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    for (const name of Object.keys(dependencies)) {
      await mkdir(dirname(join(modules, name)), { recursive: true });
      const target = name === "pulumi-agentgraph" ? packageFolder() : join(ROOT, "node_modules", name);
      await symlink(target, join(modules, name));
    }
    const command = `#!/bin/sh\nexec node ${JSON.stringify(join(packageFolder(), "dist/cli/main.js"))} "$@"\n`;
    await writeFile(join(modules, ".bin", "agentgraph"), command);
    await chmod(join(modules, ".bin", "agentgraph"), 0o755);
  }
}
