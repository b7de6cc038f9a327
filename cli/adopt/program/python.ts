/** Programs in Python, with the SDK that is generated from the schema of the native provider. */
import type { z } from "zod";
import { modelOf } from "../../../provider/schema/model";
import { childOf, type PropertyMap } from "../../../provider/schema/schema";
import { packageVersion } from "../../shared/version";
import { isPlainObject } from "../types";
import { Call, Expression, printValue } from "./code/python-code";
import { printYaml } from "./code/yaml-code";
import type { Declaration } from "./declarations";
import { ConfigReference, mapReferences, type OutputReference } from "./declared";
import type { Language } from "./language";
import { snakeCase } from "./names";
import { NATIVE, projectSettings } from "./native";

/** Keywords, builtins, and identifiers that the program itself uses. Variables have no capital letters. */
const RESERVED = [
  ..."and as assert async await break class continue def del elif else except finally for from global if".split(" "),
  ..."import in is lambda nonlocal not or pass raise return try while with yield match case type".split(" "),
  ..."abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile".split(" "),
  ..."complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format".split(" "),
  ..."frozenset getattr globals hasattr hash help hex input int isinstance issubclass iter len license".split(" "),
  ..."list locals map max memoryview min next object oct open ord pow print property quit range repr".split(" "),
  ..."reversed round set setattr slice sorted staticmethod str sum super tuple vars zip".split(" "),
  ...["agentgraph", "pulumi", "config", "id"],
];

export const python: Language = {
  ...NATIVE,
  naming: { reserved: RESERVED, toVariable: snakeCase },
  mainFile: "__main__.py",
  install: ["python3 -m venv venv", "venv/bin/pip install -r requirements.txt"],
  sources: ({ declarations }) => ({ "__main__.py": formatSource(declarations) }),
  projectFiles: (location) => ({
    // Compatible releases, as ^ is for npm.
    "requirements.txt": `pulumi>=3.231.0,<4.0.0\npulumi_agentgraph~=${packageVersion()}\n`,
    "Pulumi.yaml": printYaml(projectSettings(location, { name: "python", options: { virtualenv: "venv" } })),
  }),
};

function formatSource(declarations: readonly Declaration[]): string {
  const body = declarations.map(formatDeclaration).join("\n");
  const hasSecrets = body.includes(REQUIRE_SECRET);
  const pulumi = hasSecrets ? "import pulumi\n" : "";
  const config = hasSecrets ? "config = pulumi.Config()\n\n" : "";
  return `${pulumi}import pulumi_agentgraph as agentgraph\n\n${config}${body}`;
}

const REQUIRE_SECRET = "config.require_secret";

function formatDeclaration({ name, variable, type, schemas, inputs, isReferenced }: Declaration): string {
  const head = isReferenced ? `${variable} = ` : "";
  const args = Object.entries(toArguments(schemas, inputs));
  const call = new Call(`agentgraph.${type}`, [[undefined, name], ...args]);
  return `${head}${printValue(call, 0, head.length)}\n`;
}

/** Returns the arguments by name. The keys of declared objects are in snake case, too; those of maps are the user's. */
function toArguments(schemas: readonly z.ZodType[], inputs: PropertyMap): PropertyMap {
  const values = mapReferences(inputs, (reference) =>
    reference instanceof ConfigReference
      ? new Call(REQUIRE_SECRET, [[undefined, reference.key]])
      : new Expression(outputOf(reference)),
  );
  return renameKeys(schemas, values) as PropertyMap;
}

const outputOf = ({ to, output, key }: OutputReference) =>
  `${to.variable}.${snakeCase(output)}${key === undefined ? "" : `[${printValue(key)}]`}`;

/** @param schemas Schemas that may describe the value. */
function renameKeys(all: readonly z.ZodType[], value: unknown): unknown {
  const models = all.map((schema) => modelOf(schema, "An input"));
  const schemas = models.flatMap((model, index) => (model.kind === "union" ? model.options : (all[index] ?? [])));
  const childrenOf = (key: string) => schemas.flatMap((schema) => childOf(schema, key) ?? []);
  if (Array.isArray(value)) return value.map((part, index) => renameKeys(childrenOf(String(index)), part));
  if (!isPlainObject(value)) return value;
  const isDeclared = schemas.some((schema) => {
    const model = modelOf(schema, "An input");
    return model.kind === "object" && !model.isOpen;
  });
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [isDeclared ? snakeCase(key) : key, renameKeys(childrenOf(key), part)]),
  );
}
