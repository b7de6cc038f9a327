/** The other languages of the guide: the website adds them to each block of TypeScript that only declares. */
import { parse, stringify } from "yaml";
import type { PackageSpec } from "../../dist/plugin/schema/spec.js";
import { type Block, blocksOf, fence } from "../generate/examples/index.ts";
import type { Yaml } from "../generate/examples/program.ts";
import { type Declarations, readTypescript } from "../generate/examples/typescript-reader.ts";

/** What blocks may refer to without declaring it, as in `<!-- uses: agent, lake -->`. */
const SURROUNDINGS: Required<Pick<Yaml, "resources">> = parse(`
resources:
  agent: { type: agentgraph:Deployment, properties: { source: internal_template } }
  support: { type: agentgraph:Deployment, properties: { source: internal_template } }
  concierge: { type: agentgraph:Assistant, properties: { deploymentId: "\${agent.id}", graphId: agent } }
  welcome: { type: agentgraph:Thread, properties: { deploymentId: "\${agent.id}" } }
  thread: { type: agentgraph:Thread, properties: { deploymentId: "\${agent.id}" } }
  lake:
    type: agentgraph:BulkExportDestination
    properties: { destinationType: s3, displayName: Lake, config: { bucketName: traces } }
`);

const BLOCK = /^```ts\n([\s\S]*?)^```\n/gm;
/** A program in another language directly below, such as one with comments. */
const WRITTEN = /^\s*(?:[^\n]*\bin \w+:\s+)?(?:<!--.*-->\s+)*```(python|yaml|go|csharp|java)\n/;

const read = (text: string) => readTypescript(text, Object.keys(SURROUNDINGS.resources));

/** Adds the other languages below each block of TypeScript that only declares. */
export function withAllLanguages(page: string, schema: PackageSpec): string {
  return page.replace(BLOCK, (block: string, text: string, start: number) => {
    const declarations = read(text);
    if (!declarations) return block;
    const [, written] = WRITTEN.exec(page.slice(start + block.length)) ?? [];
    const added = translated(declarations, schema).filter(({ language }) => language !== written);
    return [block, ...added.map((one) => `${fence(one)}\n`)].join("\n");
  });
}

/**
 * Returns what the website adds to a page as programs that compile, with the declarations that fragments refer to.
 * @public Tests compile them.
 */
export function completePrograms(page: string, schema: PackageSpec): Block[] {
  return [...page.matchAll(BLOCK)].flatMap(([, text = ""]) => {
    const declarations = read(text);
    return declarations ? translated(withSurroundings(declarations), schema) : [];
  });
}

function translated({ program, isFragment, variables }: Declarations, schema: PackageSpec) {
  const context = { variables, ...(isFragment && { surroundings: SURROUNDINGS }) };
  const blocks = blocksOf(stringify(program, { lineWidth: 0 }), schema, context);
  return blocks.filter(({ language }) => language !== "typescript");
}

function withSurroundings(declarations: Declarations): Declarations {
  if (!declarations.isFragment) return declarations;
  const { program, variables } = declarations;
  const declared = new Set(
    Object.keys({ ...program.resources, ...program.variables }).map((name) => variables.get(name)),
  );
  const others = Object.entries(SURROUNDINGS.resources).filter(([name]) => !declared.has(name));
  return {
    ...declarations,
    isFragment: false,
    program: { ...program, resources: { ...Object.fromEntries(others), ...program.resources } },
  };
}
