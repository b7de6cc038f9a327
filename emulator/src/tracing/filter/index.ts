import { compile } from "./compile";
import { parseFilter } from "./parse";

export { FilterError } from "./filter-error";

/** A filter as a condition over the row `r` of the table runs; every value of the user's is a parameter. */
export interface CompiledFilter {
  sql: string;
  params: (string | number)[];
}

/** Understands a filter of the trace filter query language; throws FilterError. */
export function compileFilter(text: string): CompiledFilter {
  return compile(parseFilter(text));
}
