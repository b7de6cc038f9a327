/** The types of one graph, as a test reads them. */
import { typesOf } from "../../../cli/types/graph-types";
import { toPython } from "../../../cli/types/python";
import { toTypeScript } from "../../../cli/types/typescript";

export type Schema = Record<string, unknown>;

/** Returns what is written for a graph `a` whose context has this schema. */
export function writeBoth(contextSchema: Schema) {
  const types = typesOf([{ graphId: "a", contextSchema }]);
  return { typescript: toTypeScript([], types), python: toPython([], types) };
}

/** Returns the same without what every file has. */
export function write(contextSchema: Schema) {
  const { typescript, python } = writeBoth(contextSchema);
  return {
    typescript: typescript.replace('/** The context of the graph "a". */\n', "").trim(),
    python: python
      .replace(/^[\s\S]*?\n\n\n/, "")
      .replace(/ {4}"""The context of the graph "a"\."""\n|# The context of the graph "a".\n/, "")
      .trim(),
  };
}
