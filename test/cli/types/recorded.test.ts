/**
 * What `agentgraph types` writes for the graphs of published servers. test/sdk/types/typed-contexts.ts compiles it. To
 * write the files again, run the command in the first line of each.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { findDifferences } from "../../../cli/types/check";
import { agentgraph } from "../support/command";

const ROOT = resolve(__dirname, "../../..");
const written = readdirSync(join(__dirname, "written"));

it.each(written)("%s is what the command in it writes", async (file) => {
  const text = readFileSync(join(__dirname, "written", file), "utf8");
  const [, command = ""] = /`agentgraph (types \S+) --out /.exec(text) ?? [];
  const { code, stdout } = await agentgraph({ args: command.split(" "), cwd: ROOT });
  const withoutCommand = (content: string) => content.replace(/^.*\n/, "");
  expect([code, withoutCommand(stdout)]).toEqual([0, withoutCommand(text)]);
  expect(findDifferences("", text, "typescript").length).toBe(text.match(/^export type/gm)?.length);
});

it("Every recording has a file", () => {
  const kinds = readdirSync(join(ROOT, "test/recordings/contexts")).map((file) => file.split("-")[0]);
  expect(written.sort()).toEqual(kinds.map((kind) => `${kind}-server.ts`).sort());
});
