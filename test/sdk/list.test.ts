/** The lists that belong together: definitions, what stubs load, what users import, and the generated interfaces. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { definitions } from "../../provider/definitions";
import * as handlers from "../../provider/index";
import * as sdk from "../../sdk";
import { kinds } from "../../sdk/kinds";

const root = join(__dirname, "../..");
const names = definitions.map(({ kind }) => kind).sort();
const tool = (name: string) => join(root, "node_modules/.bin", name);

it("every definition has a handler for the stub, a class for the program, and facts about it", () => {
  expect(Object.keys(handlers).sort()).toEqual(names);
  expect(
    Object.keys(sdk)
      .filter((name) => name !== "Provider")
      .sort(),
  ).toEqual(names);
  expect(Object.keys(kinds).sort()).toEqual(names);
});

it("the generated interfaces are those of the built definitions", () => {
  const generated = execFileSync(process.execPath, [join(root, "scripts/kinds.mjs"), "--print"], { encoding: "utf8" });
  const formatted = execFileSync(tool("biome"), ["check", "--write", "--stdin-file-path=sdk/kinds.ts"], {
    cwd: root,
    encoding: "utf8",
    input: generated,
  });
  expect(readFileSync(join(root, "sdk/kinds.ts"), "utf8")).toBe(formatted);
});

it("every field that users write has a sentence", () => {
  const text = readFileSync(join(root, "sdk/kinds.ts"), "utf8");
  const fields = [...text.matchAll(/^( {2}\/\*\* .+ \*\/\n)? {2}(?:readonly )?(\w+)\??: /gm)];
  const generatedFacts = text.indexOf("export interface KindFacts");
  const bare = fields.filter(({ 1: comment, index }) => !comment && index < generatedFacts).map(({ 2: name }) => name);
  const bySource = Object.keys({
    githost: 0,
    external_docker: 0,
    internal_docker: 0,
    internal_source: 0,
    internal_template: 0,
  });
  expect(bare.filter((name) => !bySource.includes(String(name)))).toEqual([]);
  expect(fields.length).toBeGreaterThan(50);
});
