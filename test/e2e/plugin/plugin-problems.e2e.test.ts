/** What Pulumi reports about a plugin that does not fit, as docs/troubleshooting.md quotes it. */
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { textOf } from "../../docs/support/markdown";
import { fails } from "../support/cli/cli";
import { pluginFolder } from "../support/packages/plugin";
import { World } from "../support/world";

const world = new World();

/** Requests a version that does not exist, as the SDK of another language does. */
const SOURCE = `
  const pulumi = require("@pulumi/pulumi");
  new pulumi.CustomResource("agentgraph:index:Deployment", "agent", {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
  }, { version: "99.0.0" });`;

/** Returns the first column of the table about plugins in the guide, as patterns: `…` stands for any text. */
function quotedMessages(): RegExp[] {
  const [, section = ""] = textOf("docs/troubleshooting.md").split("## The plugin is not found or has another version");
  const rows = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `(.+?)` \|/gm)];
  return rows.map(([, message = ""]) => new RegExp(message.split("…").map(escapeRegExp).join(".*")));
}
const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

test("a missing plugin or wheel, another version, one on PATH and an old Node are reported as quoted", async () => {
  const { PATH = "" } = process.env;
  const stack = await world.stack({ project: "plugin-problems", env: { AGENTGRAPH_OWNER_ID: "acme" } });
  await stack.program.file("index.js", SOURCE);
  const missing = await fails(stack.preview());

  const project = await readFile(join(stack.program.folder, "Pulumi.yaml"), "utf8");
  const wheel = "plugins: { providers: [{ name: agentgraph, path: venv/share/pulumi-agentgraph }] }\n";
  await stack.program.file("Pulumi.yaml", project + wheel);
  const notInstalled = await fails(stack.preview());
  await stack.program.file("Pulumi.yaml", project);

  stack.env.PATH = [await pluginFolder(), PATH].join(delimiter);
  const older = await stack.preview();
  expect(older.code).toBe(0);

  await stack.program.usePlugin();
  await stack.program.file("old.js", 'Object.defineProperty(process.versions, "node", { value: "22.18.0" });');
  stack.env.NODE_OPTIONS = `--require=${join(stack.program.folder, "old.js")}`;
  const oldNode = await fails(stack.preview());
  expect(oldNode.output).not.toContain("from $PATH");
  expect(oldNode.output).toContain("exited prematurely");

  const messages = quotedMessages();
  expect(messages).toHaveLength(5);
  const output = [missing, notInstalled, older, oldNode].map((result) => result.output).join("\n");
  for (const message of messages) expect(output).toMatch(message);
});
