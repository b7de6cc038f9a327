/** `npm run check -- --sizes`. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newFolder } from "../../emulator/test/support/folder";

const ROOT = join(__dirname, "../..");
const SCRIPT = join(ROOT, "scripts/checks/sizes.ts");
const folder = newFolder();

const write = (file: string, text: string) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};

/** Evaluates an expression with what the script exports. */
const evaluate = (expression: string) =>
  execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `const { compare, measure, printSizes } = await import(${JSON.stringify(`file://${SCRIPT}`)}); ${expression}`,
    ],
    { stdio: "pipe" },
  ).toString();

test("The sizes count what git knows, without generated code, tables, and blocks of code", () => {
  const long = "a ".repeat(70);
  write("docs/page.md", `# Title\n\n${long}\n| ${long} |\n\`\`\`sh\n${long}\n\`\`\`\n`);
  write("docs/internal/page.md", `${long}\n`);
  write("provider/one.ts", `// ${long}\nconst one = 1;\n`);
  write("sdk/nodejs/resources.ts", `// ${long}\n`);
  write("examples/first/index.ts", "");
  write("examples/first/package.json", "{}");
  write("test/recordings/one.json", "{\n}\n");
  write("test/one.test.ts", "\n");
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  execFileSync("git", ["add", "."], { cwd: folder });
  write("provider/unknown.ts", "\n\n\n");
  const measured = JSON.parse(evaluate(`console.log(JSON.stringify(measure(${JSON.stringify(folder)})))`));
  expect(measured).toMatchObject({
    ...{ "long lines of the guide": 1, "long lines of provider, sdk, cli, plugin": 1, "lines of provider": 2 },
    ...{ "lines of tests, without recordings": 1, examples: 1 },
  });
});

test("A size above its limit is marked, and the command fails", () => {
  const bounds = JSON.parse(readFileSync(join(ROOT, "scripts/checks/sizes.json"), "utf8"));
  expect(bounds.examples.target).toBe(20);
  const others = Object.fromEntries(Object.keys(bounds).map((name) => [name, { limit: 1000, target: 0 }]));
  write("scripts/checks/sizes.json", JSON.stringify({ ...others, examples: { limit: 0, target: 0 } }));
  const printed = evaluate(`console.log(printSizes(${JSON.stringify(folder)}))`)
    .trim()
    .split("\n");
  expect(printed.at(-1)).toBe("1");
  expect(printed.filter((line) => line.endsWith("TOO LARGE")).join()).toMatch(/^examples +1 +0 +0 {2}TOO LARGE$/);
});

test("A size without a limit is an error", () => {
  expect(() => evaluate("compare({ pages: 1 }, {})")).toThrow('sizes.json and sizes.ts differ in "pages"');
});
