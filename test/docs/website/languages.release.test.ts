/**
 * The website adds the other languages to the TypeScript of the guide. The tests of each SDK compile what it adds;
 * here, what is added where, and the syntax of C#, for which there is no SDK.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describeWithTools } from "../../support/tools";
import { blocksOf, ROOT, schemaBlocks, textOf, translatedBlocks } from "../support/markdown";

const ADDED = ["python", "go", "csharp", "java", "yaml"];

/** Returns a page as the website shows it. */
function onWebsite(page: string): string {
  const script = `import { readSchema } from "./schema-pages.ts"; import { withAllLanguages } from "./languages.ts";
    import { readFileSync } from "node:fs";
    process.stdout.write(withAllLanguages(readFileSync(0, "utf8"), readSchema()));`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: join(ROOT, "scripts/docs"),
    input: page,
    encoding: "utf8",
    stdio: "pipe",
  });
}

const PAGES = ["getting-started", "deployment", "assistant", "cron", "thread", "exports", "functions", "settings"];

test.each(PAGES)("the first program of docs/%s.md is in all languages", (name) => {
  const blocks = blocksOf(name, onWebsite(textOf(`docs/${name}.md`)));
  const first = blocks.findIndex(({ language }) => language === "ts");
  const shown = blocks.slice(first + 1, first + 1 + ADDED.length).map(({ language }) => language);
  expect(shown.sort()).toEqual([...ADDED].sort());
});

const block = (text: string) => `# Page\n\n\`\`\`ts\n${text}\n\`\`\`\n`;

test.each([
  ["a function of the program", 'const run = () => 1;\nnew agentgraph.Thread("a", { deploymentId: agent.id });'],
  ["a component", 'class Team extends pulumi.ComponentResource {}\nnew agentgraph.Thread("a", {});'],
  ["a computed value", `new agentgraph.Thread("a", { deploymentId: \`\${agent.id}\` });`],
  ["a resource of another package", 'const bucket = new aws.s3.Bucket("traces", {});'],
  ["a variable that nothing declares", 'new agentgraph.Thread("a", { deploymentId: other.id });'],
  ["the native package", 'import * as agentgraph from "pulumi-agentgraph/native";\nnew agentgraph.Thread("a", {});'],
])("a block with %s stays as it is", (_, text) => {
  expect(onWebsite(block(text))).toBe(block(text));
});

test("a language that the page already shows is not added", () => {
  const page =
    `${block('new agentgraph.Thread("a", { deploymentId: agent.id });')}\nThe same in ` +
    "Python:\n\n```python\npass\n```\n";
  const languages = blocksOf("page", onWebsite(page)).map(({ language }) => language);
  expect(languages).toEqual(["ts", "go", "csharp", "java", "yaml", "python"]);
});

test("a property that the resource lacks fails the build, with the names of both", () => {
  const page = block('new agentgraph.Thread("a", { deploymentID: agent.id });');
  expect(() => onWebsite(page)).toThrow(/Thread has no property deploymentID/);
});

describeWithTools("C#", ["python", "registry"], ({ python, registry }) => {
  /** Returns the first error of syntax in each program. */
  function errorsOf(programs: readonly string[]): (string | null)[] {
    const output = execFileSync(python, [join(__dirname, "../support/csharp_errors.py")], {
      input: JSON.stringify(programs),
      env: { ...process.env, PYTHONPATH: registry },
      encoding: "utf8",
    });
    return JSON.parse(output);
  }

  test("every program of the schema, the pages of the Registry and the website has valid syntax", () => {
    const blocks = [...schemaBlocks(), ...blocksOf("docs/_index.md"), ...translatedBlocks()];
    const programs = blocks.filter(({ language }) => language === "csharp");
    expect(programs.length).toBeGreaterThan(50);
    const errors = errorsOf(programs.map(({ text }) => text));
    expect(programs.flatMap(({ file }, index) => (errors[index] ? `${file}: ${errors[index]}` : []))).toEqual([]);
  });
});
