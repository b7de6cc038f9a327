/** The text of provider/index.ts: an export for each kind, which ES modules can import by name too. */
import { definitions } from "../../../dist/provider/definitions.js";

const kinds = definitions.map(({ kind }) => kind);
const variable = (kind: string) => kind.charAt(0).toLowerCase() + kind.slice(1);
const file = (kind: string) => kind.replace(/(?<!^)[A-Z]/g, "-$&").toLowerCase();

export const text = `/** The lifecycle of each kind, by frozen names: stubs in users' states load this module. */
// Generated from the definitions by \`npm run generate\`. Do not edit.
import { lifecycle } from "./engine/host/dynamic";
import { realEnvironment } from "./engine/host/environment";
${kinds.map((kind) => `import { ${variable(kind)} } from "./resources/${file(kind)}";`).join("\n")}

const environment = realEnvironment();

${kinds.map((kind) => `export const ${kind} = lifecycle(${variable(kind)}, environment);`).join("\n")}
`;
