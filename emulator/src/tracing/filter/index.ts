import { compile } from "./compile";
import { parseFilter } from "./parse";

export { FilterError } from "./filter-error";

/** A condition over the row `r` of the table runs. All user values are parameters. */
export interface CompiledFilter {
  sql: string;
  params: (string | number)[];
}

/** Compiles a filter of the trace filter query language. @throws FilterError */
export function compileFilter(text: string): CompiledFilter {
  return compile(parseFilter(text));
}
