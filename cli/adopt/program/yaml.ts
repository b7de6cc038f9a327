/** Programs in YAML: one project file that also declares the resources. */
import { nativeToken } from "../../../provider/definition/type-token";
import { isPlainObject } from "../types";
import { PlainText, printYaml } from "./code/yaml-code";
import type { Declaration, Program } from "./declarations";
import { ConfigReference, OutputReference } from "./declared";
import type { Language, ProjectLocation } from "./language";
import { camelCase } from "./names";
import { NATIVE, projectSettings } from "./native";

export const yaml: Language = {
  ...NATIVE,
  // `${pulumi.…}` is built in, and `${name}` is a resource or a configuration key.
  naming: { reserved: ["pulumi"], toVariable: camelCase, hasSharedNames: true },
  mainFile: "Pulumi.yaml",
  install: [],
  problemOf: (inputs) => PROBLEMS.find(([isProblem]) => contains(inputs, isProblem))?.[1],
  sources: (program, location) => ({ "Pulumi.yaml": formatProject(program, location) }),
  projectFiles: () => ({}),
};

function formatProject({ declarations, secrets }: Program, location: ProjectLocation): string {
  const config = secrets.map(({ key }) => [key, { type: "string", secret: true }]);
  return printYaml({
    ...projectSettings(location, "yaml"),
    ...(config.length > 0 && { config: Object.fromEntries(config) }),
    resources: Object.fromEntries(declarations.map(declarationOf)),
  });
}

function declarationOf({ name, variable, type, inputs }: Declaration): [string, object] {
  const declaration = {
    type: nativeToken(type).replace(":index:", ":"),
    ...(name !== variable && { name }),
    properties: toExpressions(inputs),
  };
  return [variable, declaration];
}

/** Escapes what YAML programs interpolate, in values and in keys, and writes references as interpolations. */
function toExpressions(value: unknown): unknown {
  if (value instanceof ConfigReference) return new PlainText(`\${${value.key}}`);
  if (value instanceof OutputReference) return new PlainText(`\${${outputOf(value)}}`);
  if (typeof value === "string") return escapeInterpolation(value);
  if (Array.isArray(value)) return value.map(toExpressions);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [escapeInterpolation(key), toExpressions(part)]),
  );
}

const outputOf = ({ to, output, key }: OutputReference) =>
  `${to.variable}.${output}${key === undefined ? "" : `[${JSON.stringify(key)}]`}`;

const escapeInterpolation = (text: string) => text.replace(/\$(?=[${])/g, "$$$$");

/** What a list or an object cannot contain, whatever the quotes. */
const PROBLEMS: readonly (readonly [(value: object) => boolean, string])[] = [
  [hasKey(/^fn::/i), 'it has a key that begins with "fn::", which YAML programs reserve for functions'],
  [hasKey(/^<<$/), 'it has the key "<<", which the Pulumi CLI takes for a merge of maps'],
  [(value) => Array.isArray(value) && value.includes(null), "it has null in a list, which YAML programs leave out"],
];

function hasKey(pattern: RegExp): (value: object) => boolean {
  return (value) => !Array.isArray(value) && Object.keys(value).some((key) => pattern.test(key));
}

/** Whether a condition holds for a value, or for a list or an object in it, at any depth. */
function contains(value: unknown, condition: (value: object) => boolean): boolean {
  if (!Array.isArray(value) && !isPlainObject(value)) return false;
  return condition(value) || Object.values(value).some((part) => contains(part, condition));
}
