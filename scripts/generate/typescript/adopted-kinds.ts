/** The text of cli/adopt/kinds.ts: the kinds as the command line names them, for help that loads no definition. */
import { pluralOf } from "../../../dist/cli/adopt/types.js";
import { definitions } from "../../../dist/provider/definitions.js";

export const text = `// Generated from the definitions by \`npm run generate\`. Do not edit.
/** The values of \`--only\`. */
export const KINDS = ${JSON.stringify(definitions.map(pluralOf))};
`;
