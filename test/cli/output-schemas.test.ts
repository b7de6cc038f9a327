/** Every command prints JSON in the form of its schema: support/command.ts compares all outputs of all tests. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { agentgraph } from "./support/command";
import { outputSchemaOf } from "./support/output-schema";

const ROOT = join(__dirname, "../..");
const commands = readdirSync(join(ROOT, "cli/commands")).map((file) => file.replace(".ts", ""));

test("there is a command of each name in the help", async () => {
  const { stdout } = await agentgraph({ args: ["--help"] });
  expect(commands.filter((name) => !stdout.includes(`\n  ${name} `))).toEqual([]);
});

test.each(commands)("the output of agentgraph %s --json has a schema", (name) => {
  expect(outputSchemaOf([name])).toBeDefined();
});

test.each(["types"])("so has that of agentgraph %s --check --json", (name) => {
  expect(outputSchemaOf([name, "--check"])).toBeDefined();
});

test("the output of a request log has the documented form", async () => {
  const { code, stdout } = await agentgraph({ args: ["requests", "--json", "/dev/null"] });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ version: 1 });
});
