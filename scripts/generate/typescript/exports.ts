/**
 * Generates sdk/nodejs/index.ts, and the same exports for the native provider. The comment of a class is its
 * description, its example, and the page that the README links for it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wrapLine } from "../../../dist/cli/shared/text/wrap.js";
import {
  AGENT_SERVICE,
  AGENT_SERVICE_DESCRIPTION,
  type OwnField,
  SERVICE_ARGUMENTS,
  type ServicePart,
} from "../../../dist/provider/components/agent-service.js";
import { definitions } from "../../../dist/provider/definitions.js";
import { functions } from "../../../dist/provider/functions/functions.js";
import { ROOT } from "../../setup/paths.mjs";
import { declarationsOf } from "../examples/index.ts";
import { schema } from "../schema.ts";
import { text as enumsText } from "./enums.ts";
import { parametersOf } from "./resources.ts";

const readme = readFileSync(join(ROOT, "README.md"), "utf8");

/** @throws if the table of resources in the README does not link a page. */
function guideOf(kind: string): string {
  const [, page] = new RegExp(`^\\| \\[\`${kind}\`\\]\\((docs/[\\w-]+\\.md)\\) \\|`, "m").exec(readme) ?? [];
  if (page) return page;
  throw new Error(`The table of resources in README.md has no row that links ${kind} to its guide in docs/.`);
}

/** Returns the comment of a class: its description, its example and its guide. */
function commentOf(name: string, description: string): string {
  const lines = [
    ...wrapLine(description, 116),
    "",
    "@example",
    "```ts",
    ...declarationsOf(name, schema).split("\n"),
    "```",
    `@see [Guide](node_modules/pulumi-agentgraph/${guideOf(name)})`,
  ];
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */`;
}

function classOf({ kind, description }: (typeof definitions)[number]): string {
  const { declared, names } = parametersOf(kind, "types.");
  return `${commentOf(kind, description)}
export const ${kind} = defineClass<types.${kind}Class>("${kind}", types.resources.${kind});
export type ${kind}${declared} = types.${kind}${names};
`;
}

const forms = functions.map(({ name }) => `export const [${name}, ${name}Output] = defineFunction("${name}");`);
const enums = [...enumsText.matchAll(/^export const (\w+)/gm)].map(([, name]) => name).sort();

/** Returns the parts of a service, with those inside of others. */
const partsOf = (all: readonly { part?: ServicePart }[]): ServicePart[] =>
  all.flatMap(({ part }) => (part ? [part, ...partsOf(Object.values<OwnField>(part.own ?? {}))] : []));

/** The resources of a service are of the classes of the same file. */
const service = `${commentOf(AGENT_SERVICE, AGENT_SERVICE_DESCRIPTION)}
export const ${AGENT_SERVICE} = components.agentServiceOf({
${[...new Set(partsOf(Object.values(SERVICE_ARGUMENTS)).map(({ kind }) => kind))].join(", ")}
});
export type ${AGENT_SERVICE}<Contexts extends components.ServiceContexts = components.AnyContexts> =
  components.${AGENT_SERVICE}<Contexts>;
`;

const body = `import * as components from "./components/agent-service";
import { defineFunction } from "./function";
import { defineClass } from "./resource";
import * as types from "./resources";

${definitions.map(classOf).join("\n")}
${service}
// Documented by their types in functions.ts, which editors show.
${forms.join("\n")}

// By name, because a star does not take precedence over the types of the same names.
export { ${enums.join(", ")} } from "./enums";
export type * from "./components/args";
export type { LookupOptions, LookupOutputOptions } from "./function-types";
export type * from "./functions";
export { Provider } from "./provider";
export type * from "./resources";
`;

const HEADER = "/** The public exports: a class and its type for each resource, and both forms of each function";
const GENERATED = "// Generated from the definitions by `npm run generate`. Do not edit.\n";

export const text = `${HEADER}. */\n${GENERATED}${body}`;
const IMPORTS = /from "\.\/(components\/[\w-]+|enums|functions|function-types|resources)"/g;
export const native = `${HEADER}, of the native provider. */
${GENERATED}${body.replaceAll(IMPORTS, 'from "../$1"')}`;
