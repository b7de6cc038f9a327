/** Writes the Pulumi program that declares the adopted resources. */
import type { AdoptReference } from "../../provider/definition/adopt";
import type { Definition } from "../../provider/definition/definition";
import { type PropertyMap, variantFor } from "../../provider/schema/schema";
import { Expression, printString, printValue, WIDTH } from "./code-printer";
import type { Names } from "./names";
import { type Adopted, definitionOf, definitionsByKind, isPlainObject, type Kind, Secret } from "./types";

/** Source files by name. */
export type Files = Readonly<Record<string, string>>;

export interface SecretKey {
  /** Key in the stack configuration. */
  key: string;
  /** Name of the resource. */
  resource: string;
  /** Path of the input. */
  path: string;
}

export interface Program {
  files: Files;
  secrets: SecretKey[];
}

/** Up to this many resources are written to one file. */
const MAX_IN_ONE_FILE = 24;

/**
 * Returns the source files and the secrets that they read.
 * @param isModule Whether the package of the folder uses ES modules. There, the extension of a relative import depends on
 * what runs the program (`.ts` for Node, `.js` for ts-node and compilers), so everything is written to one file.
 */
export function generateProgram(all: readonly Adopted[], names: Names, isModule = false): Program {
  const secrets: SecretKey[] = [];
  const byOutput = indexByOutput(all);
  const written = all.map((adopted) => ({ adopted, ...toExpressions(adopted, byOutput, names, secrets) }));
  const referenced = new Set(written.flatMap(({ refersTo }) => refersTo));
  const isOne = isModule || all.length <= MAX_IN_ONE_FILE;
  const declarationsOf = (kind: Kind) =>
    written
      .filter(({ adopted }) => adopted.kind === kind)
      .map(({ adopted, inputs }) =>
        formatDeclaration(adopted, inputs, referenced.has(adopted) && (isOne ? "const" : "export const")),
      );
  if (isOne)
    return { files: { "index.ts": formatFile([...definitionsByKind().keys()].flatMap(declarationsOf)) }, secrets };
  const present = [...definitionsByKind().keys()].filter((kind) => all.some((adopted) => adopted.kind === kind));
  const files = present.map((kind): [string, string] => {
    const refersTo = written.filter(({ adopted }) => adopted.kind === kind).flatMap((one) => one.refersTo);
    return [`${kind}.ts`, formatFile(declarationsOf(kind), formatImports(refersTo))];
  });
  const index = present.map((kind) => `import "./${kind}";\n`).join("");
  return { files: { "index.ts": index, ...Object.fromEntries(files) }, secrets };
}

/** Returns a file with the imports that its declarations need. */
function formatFile(declarations: readonly string[], imports = ""): string {
  const body = declarations.join("\n");
  const hasSecrets = body.includes(REQUIRE_SECRET);
  const pulumi = hasSecrets ? 'import * as pulumi from "@pulumi/pulumi";\n' : "";
  const config = hasSecrets ? "const config = new pulumi.Config();\n\n" : "";
  return `${pulumi}import * as agentgraph from "pulumi-agentgraph";\n${imports}\n${config}${body}`;
}

/** Returns the imports from other files. Resources never refer to others of their own kind. */
function formatImports(refersTo: readonly Adopted[]): string {
  return [...definitionsByKind().keys()]
    .map((kind) => {
      const variables = refersTo.filter((adopted) => adopted.kind === kind).map(({ variable }) => variable);
      const imports = [...new Set(variables)].sort();
      if (imports.length === 0) return "";
      const line = `import { ${imports.join(", ")} } from "./${kind}";\n`;
      return line.length <= WIDTH + 1
        ? line
        : `import {\n${imports.map((name) => `  ${name},\n`).join("")}} from "./${kind}";\n`;
    })
    .join("");
}

/** Finds the resource whose output has this value. */
type OutputIndex = (reference: AdoptReference, value: unknown) => Adopted | undefined;

function indexByOutput(all: readonly Adopted[]): OutputIndex {
  const indexes = new Map<string, ReadonlyMap<unknown, Adopted>>();
  const indexOf = ({ kind, output }: AdoptReference) => {
    const resources = all.filter((resource) => definitionOf(resource.kind).kind === kind);
    return new Map(resources.map((resource) => [{ ...resource.outputs, id: resource.id }[output], resource]));
  };
  return (reference, value) => {
    if (typeof value !== "string") return undefined;
    const key = `${reference.kind}.${reference.output}`;
    const index = indexes.get(key) ?? indexOf(reference);
    indexes.set(key, index);
    return index.get(value);
  };
}

const REQUIRE_SECRET = "config.requireSecret(";

/** Replaces secrets, and values of other declared resources, with expressions. */
function toExpressions(
  { kind, name, variable, inputs }: Adopted,
  byOutput: OutputIndex,
  names: Names,
  secrets: SecretKey[],
): { inputs: PropertyMap; refersTo: Adopted[] } {
  const refersTo: Adopted[] = [];
  const withSecrets = (value: unknown): unknown => {
    if (value instanceof Secret) {
      const key = names.nameSecret(variable, value.name);
      secrets.push({ key, resource: name, path: value.path.join(".") });
      return new Expression(`${REQUIRE_SECRET}${printString(key)})`);
    }
    if (Array.isArray(value)) return value.map(withSecrets);
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withSecrets(part)]));
  };
  const definition = definitionOf(kind);
  const { references } = definition.adopt;
  const written = sortInputs(definition, inputs).map(([key, value]): [string, unknown] => {
    const reference = Object.hasOwn(references, key) ? references[key] : undefined;
    const to = reference && byOutput(reference, value);
    if (!to) return [key, withSecrets(value)];
    refersTo.push(to);
    return [key, new Expression(`${to.variable}.${reference.output}`)];
  });
  return { inputs: Object.fromEntries(written), refersTo };
}

function formatDeclaration({ kind, name, variable }: Adopted, inputs: PropertyMap, keyword: string | false): string {
  const call = `${keyword ? `${keyword} ${variable} = ` : ""}new agentgraph.${definitionOf(kind).kind}(`;
  const head = `${call}${printString(name)}, `;
  const fitsOnLine = head.length + 1 <= WIDTH;
  if (fitsOnLine) return `${head}${printValue(inputs, 0, head.length + 2)});\n`;
  return `${call}\n  ${printString(name)},\n  ${printValue(inputs, 2, 3)},\n);\n`;
}

/** Sorts inputs in the order of the schema. */
function sortInputs({ schema }: Definition, inputs: PropertyMap): [key: string, value: unknown][] {
  const keys = Object.keys(variantFor(schema, inputs)?.shape ?? {});
  return Object.entries(inputs).sort(([a], [b]) => keys.indexOf(a) - keys.indexOf(b));
}
