/** The programs of test/old-states, one folder for each state. */
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { agentKinds } from "../../support/agent-kinds";
import { ROOT } from "./checkout";

const FOLDER = join(ROOT, "test", "old-states");

export const oldStates = readdirSync(FOLDER);

export const fileOf = (name: string, file: string) => join(FOLDER, name, file);

/**
 * Returns the program that created a state. The environment has the URL of the platform. A program that both providers
 * ran is stored once.
 */
export async function oldProgram(name: string): Promise<string> {
  const file = fileOf(name, "program.js");
  if (existsSync(file)) return readFile(file, "utf8");
  return toNative(await readFile(fileOf(name.replace("-native-", "-"), "program.js"), "utf8"));
}

/** Returns the program for the native provider; the programs of old states differ only in the package. */
export const toNative = (text: string) =>
  text.replace('require("pulumi-agentgraph")', 'require("pulumi-agentgraph/native")');

/**
 * Writes the program of a new kind, unless there is one: a resource with an ID that its server derives, and one with a
 * declared one.
 */
export async function writeProgram(name: string): Promise<void> {
  const kind = agentKinds.find(({ names }) => name.endsWith(`-${names.path}`));
  if (!kind || existsSync(fileOf(name, "program.js"))) return;
  const { names, declared, changed } = kind;
  const propertyOf = ([key, value]: [string, unknown]) => `${key}: ${sourceOf(value)}`;
  const resource = (id: string, inputs: object) =>
    [
      `new agentgraph.${names.kind}("${id}", {`,
      "  deploymentId: agent.id,",
      ...Object.entries(inputs).map((property) => `  ${propertyOf(property)},`),
      "});",
    ].join("\n");
  const text = [
    `// What ${name}/state.json is the state of.`,
    ...Object.keys(changed).map(
      (key) =>
        `// Changed: ${propertyOf([key, declared[key]])} to ${propertyOf([key, changed[key]])}: ${key} of one, other`,
    ),
    'const agentgraph = require("pulumi-agentgraph");',
    'const agent = new agentgraph.Deployment("agent", {',
    `  name: "old-${names.path}",`,
    '  source: "external_docker",',
    '  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },',
    "});",
    resource("one", declared),
    resource("other", { ...declared, [`${names.noun}Id`]: "0B8F4D7E-6A0F-4C53-9D52-3A5C1F7E2B11" }),
  ];
  await mkdir(fileOf(name, ""), { recursive: true });
  await writeFile(fileOf(name, "program.js"), `${text.join("\n")}\n`);
}

/** Returns a value as the formatter writes it. */
function sourceOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sourceOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const properties = Object.entries(value).map(
    ([key, item]) => `${/^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key)}: ${sourceOf(item)}`,
  );
  return properties.length === 0 ? "{}" : `{ ${properties.join(", ")} }`;
}
