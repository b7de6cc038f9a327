/** Lists that must agree: definitions, functions, handlers and public exports. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_SERVICE } from "../../provider/components/agent-service";
import { definitions } from "../../provider/definitions";
import { functions } from "../../provider/functions/functions";
import * as handlers from "../../provider/index";
import * as sdk from "../../sdk/nodejs";
import * as enums from "../../sdk/nodejs/enums";
import { metadata } from "../../sdk/nodejs/functions";
import { resources } from "../../sdk/nodejs/resources";

const root = join(__dirname, "../..");
const names = definitions.map(({ kind }) => kind).sort();
const forms = functions.flatMap(({ name }) => [name, `${name}Output`]).sort();

it("every definition has a handler, a class and metadata, and the component a class", () => {
  expect(Object.keys(handlers).sort()).toEqual(names);
  expect(
    Object.keys(sdk)
      .filter((name) => name !== "Provider" && !forms.includes(name) && !Object.hasOwn(enums, name))
      .sort(),
  ).toEqual([AGENT_SERVICE, ...names]);
  expect(Object.keys(resources).sort()).toEqual(names);
});

it("every enum is exported", () => {
  expect(Object.keys(enums).length).toBeGreaterThan(10);
  expect(sdk).toMatchObject(enums);
});

it("every function has both forms, exported under their names, and metadata", () => {
  expect(
    Object.keys(sdk)
      .filter((name) => name.startsWith("get"))
      .sort(),
  ).toEqual(forms);
  expect(Object.keys(metadata).sort()).toEqual(functions.map(({ name }) => name).sort());
  const lines = readFileSync(join(root, "sdk/nodejs/index.ts"), "utf8").match(
    /^export const \[(\w+), \1Output\] = defineFunction\("\1"\);$/gm,
  );
  expect(lines).toHaveLength(functions.length);
});

it.each(definitions.map(({ kind, description }) => [kind, description]))(
  "the comment of the class %s begins with the description of its definition",
  (kind, description) => {
    const text = readFileSync(join(root, "sdk/nodejs/index.ts"), "utf8");
    const comment = /(?:\/\*\*)((?:(?!\*\/).)*?)@example((?:(?!\*\/).)*?)\*\/\nexport const NAME /s;
    const [, begin = ""] = new RegExp(comment.source.replace("NAME", kind), "s").exec(text) ?? [];
    expect(begin.replace(/\s+\*/g, " ").replace(/\s+/g, " ").trim()).toBe(description);
  },
);
