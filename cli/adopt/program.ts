/** Writes the Pulumi program that declares the adopted resources. */
import type { AdoptReference } from "../../provider/definition/adopt";
import type { Definition } from "../../provider/definition/definition";
import { type PropertyMap, variantFor } from "../../provider/schema/schema";
import { Code, literal, quoted, WIDTH } from "./code-printer";
import type { Names } from "./names";
import { type Adopted, definitionOf, isBag, type Kind, kinds, Secret } from "./types";

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
const ONE_FILE = 24;

/**
 * Returns the source files and the secrets that they read.
 * @param isModule Whether the package of the folder uses ES modules. There, the extension of a relative import depends on
 * what runs the program (`.ts` for Node, `.js` for ts-node and compilers), so everything is written to one file.
 */
export function programOf(all: readonly Adopted[], names: Names, isModule = false): Program {
  const secrets: SecretKey[] = [];
  const byOutput = indexByOutput(all);
  const written = all.map((adopted) => ({ adopted, ...expressions(adopted, byOutput, names, secrets) }));
  const used = new Set(written.flatMap(({ refersTo }) => refersTo));
  const isOne = isModule || all.length <= ONE_FILE;
  const declared = (kind: Kind) =>
    written
      .filter(({ adopted }) => adopted.kind === kind)
      .map(({ adopted, inputs }) =>
        declaration(adopted, inputs, used.has(adopted) && (isOne ? "const" : "export const")),
      );
  if (isOne) return { files: { "index.ts": file([...kinds().keys()].flatMap(declared)) }, secrets };
  const present = [...kinds().keys()].filter((kind) => all.some((adopted) => adopted.kind === kind));
  const files = present.map((kind): [string, string] => {
    const refersTo = written.filter(({ adopted }) => adopted.kind === kind).flatMap((one) => one.refersTo);
    return [`${kind}.ts`, file(declared(kind), importsOf(refersTo))];
  });
  const index = present.map((kind) => `import "./${kind}";\n`).join("");
  return { files: { "index.ts": index, ...Object.fromEntries(files) }, secrets };
}

/** Returns a file with the imports that its declarations need. */
function file(declarations: readonly string[], imports = ""): string {
  const body = declarations.join("\n");
  const hasSecrets = body.includes(REQUIRE);
  const pulumi = hasSecrets ? 'import * as pulumi from "@pulumi/pulumi";\n' : "";
  const config = hasSecrets ? "const config = new pulumi.Config();\n\n" : "";
  return `${pulumi}import * as agentgraph from "pulumi-agentgraph";\n${imports}\n${config}${body}`;
}

/** Returns the imports from other files. Resources never refer to others of their own kind. */
function importsOf(refersTo: readonly Adopted[]): string {
  return [...kinds().keys()]
    .map((kind) => {
      const there = refersTo.filter((adopted) => adopted.kind === kind).map(({ variable }) => variable);
      const needed = [...new Set(there)].sort();
      if (needed.length === 0) return "";
      const line = `import { ${needed.join(", ")} } from "./${kind}";\n`;
      return line.length <= WIDTH + 1
        ? line
        : `import {\n${needed.map((name) => `  ${name},\n`).join("")}} from "./${kind}";\n`;
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

const REQUIRE = "config.requireSecret(";

/** Replaces secrets, and values of other declared resources, with expressions. */
function expressions(
  { kind, name, variable, inputs }: Adopted,
  byOutput: OutputIndex,
  names: Names,
  secrets: SecretKey[],
): { inputs: PropertyMap; refersTo: Adopted[] } {
  const refersTo: Adopted[] = [];
  const withSecrets = (value: unknown): unknown => {
    if (value instanceof Secret) {
      const key = names.secret(variable, value.name);
      secrets.push({ key, resource: name, path: value.path.join(".") });
      return new Code(`${REQUIRE}${quoted(key)})`);
    }
    if (Array.isArray(value)) return value.map(withSecrets);
    if (!isBag(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withSecrets(part)]));
  };
  const definition = definitionOf(kind);
  const { references } = definition.adopt;
  const written = inOrder(definition, inputs).map(([key, value]): [string, unknown] => {
    const reference = Object.hasOwn(references, key) ? references[key] : undefined;
    const to = reference && byOutput(reference, value);
    if (!to) return [key, withSecrets(value)];
    refersTo.push(to);
    return [key, new Code(`${to.variable}.${reference.output}`)];
  });
  return { inputs: Object.fromEntries(written), refersTo };
}

function declaration({ kind, name, variable }: Adopted, inputs: PropertyMap, keyword: string | false): string {
  const call = `${keyword ? `${keyword} ${variable} = ` : ""}new agentgraph.${definitionOf(kind).kind}(`;
  const head = `${call}${quoted(name)}, `;
  const inside = head.length + 1 <= WIDTH;
  if (inside) return `${head}${literal(inputs, 0, head.length + 2)});\n`;
  return `${call}\n  ${quoted(name)},\n  ${literal(inputs, 2, 3)},\n);\n`;
}

/** Sorts inputs in the order of the schema. */
function inOrder({ schema }: Definition, inputs: PropertyMap): [key: string, value: unknown][] {
  const keys = Object.keys(variantFor(schema, inputs)?.shape ?? {});
  return Object.entries(inputs).sort(([a], [b]) => keys.indexOf(a) - keys.indexOf(b));
}
