/** The text of docs/_index.md, the page of the Pulumi Registry: its program in YAML is also written in the other languages. */
import { overviewPage } from "./examples/index.ts";
import { schema } from "./schema.ts";

export const text = overviewPage(schema);
