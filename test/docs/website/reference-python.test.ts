/** The Python reference of the website is complete, and its names are those of the Python SDK. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { snakeCase } from "../../../cli/adopt/program/names";
import { nativeToken } from "../../../provider/definition/type-token";
import { definitions } from "../../../provider/definitions";
import { functions } from "../../../provider/functions/functions";
import { anchorsOf, ROOT, textOf } from "../support/markdown";

const SDK = "sdk/python/pulumi_agentgraph";
const PRINT = 'import("./scripts/docs/python-reference.ts").then(({ pythonPage }) => console.log(pythonPage().text))';
const page = execFileSync(process.execPath, ["--eval", PRINT], { cwd: ROOT, encoding: "utf8" });

test("the Python reference contains every resource and function", () => {
  const names = [...definitions.map(({ kind }) => kind), ...functions.map(({ name }) => snakeCase(name))];
  const anchors = anchorsOf(page);
  expect(names.filter((name) => !anchors.has(name.toLowerCase()))).toEqual([]);
  for (const { kind } of definitions) expect(page).toContain(`pulumi import ${nativeToken(kind)} `);
});

test("every name in the Python reference is a name in the Python SDK", () => {
  const modules = readdirSync(join(ROOT, SDK)).filter((name) => name.endsWith(".py"));
  const words = new Set(modules.flatMap((name) => textOf(`${SDK}/${name}`).match(/\w+/g) ?? []));
  const names = [...page.matchAll(/^- `(\w+)` \(|^##+ (?!Types$)(\w+)$/gm)].map(
    ([, field, heading]) => field ?? heading ?? "",
  );
  expect(names.length).toBeGreaterThan(300);
  // A type that no output has is only a class of arguments.
  expect(names.filter((name) => !words.has(name) && !words.has(`${name}Args`))).toEqual([]);
});
