/** The types of graphs, and the names by which programs import them. */
import { isDeepStrictEqual } from "node:util";
import type { PropertyMap } from "../../provider/schema/schema";
import type { GraphSchemas } from "./fetch";
import { Names, pascalCase } from "./names";
import { declarationsOf } from "./schema-to-type";
import type { Declaration, GraphTypes } from "./type";

/** Returns the types of each graph that declares any. @param graphs In the order of their names. */
export function typesOf(graphs: readonly GraphSchemas[]): GraphTypes[] {
  const names = new Names();
  // First of all, so that the part of one graph never has the name of another graph's context.
  const named = graphs.map((graph) => {
    const start = pascalCase(graph.graphId) || "Graph";
    return { ...graph, context: names.reserve(`${start}Context`), config: names.reserve(`${start}Config`) };
  });
  return named.flatMap(({ graphId, contextSchema, configSchema, context, config }) => {
    const typed = (schema: PropertyMap | undefined, name: string, about: string) =>
      schema ? withAbout(declarationsOf(schema, name, names), `${about} of the graph ${JSON.stringify(graphId)}.`) : [];
    const ofContext = typed(contextSchema, context, "The context");
    // Servers in Python return the schema of the context for both.
    const isSame = contextSchema !== undefined && isDeepStrictEqual(contextSchema, configSchema);
    const ofConfig = isSame
      ? [sameAs(config, context, graphId)]
      : typed(configSchema, config, "The values of `config.configurable`");
    const declarations = [...ofContext, ...ofConfig];
    return declarations.length > 0 ? [{ graphId, declarations }] : [];
  });
}

function withAbout([main, ...others]: readonly Declaration[], about: string): Declaration[] {
  return main ? [{ ...main, comment: [about, ...main.comment] }, ...others] : [];
}

const sameAs = (name: string, other: string, graphId: string): Declaration => ({
  name,
  comment: [`The values of \`config.configurable\` of the graph ${JSON.stringify(graphId)}: those of its context.`],
  shape: { alias: { kind: "reference", name: other } },
});
