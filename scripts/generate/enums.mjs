/** The text of sdk/nodejs/enums.ts: the values of each enum by name, with the names of the package schema, which all languages share. */
import { text as resourcesText } from "./resources.mjs";
import { text as schemaText } from "./schema.mjs";
import { nameOf } from "./schema-fields.mjs";

const enums = Object.entries(JSON.parse(schemaText).types).filter(([, type]) => type.enum);
const hasType = (name) => new RegExp(`^export type ${name} =`, "m").test(resourcesText);
const typed = enums.map(([token]) => nameOf(token)).filter(hasType);

const texts = enums.map(([token, { description, enum: members }]) => {
  const name = nameOf(token);
  const lines = members.map(
    ({ name: member, value, description: about }) =>
      `${about ? `  /** ${about} */\n` : ""}  ${member}: ${JSON.stringify(value)},\n`,
  );
  return `/** ${description} */
export const ${name} = {
${lines.join("")}} as const;
export type ${name} = ${hasType(name) ? `types.${name}` : `(typeof ${name})[keyof typeof ${name}]`};
`;
});

export const text = `// Generated from the definitions by \`npm run generate\`. Do not edit.
${typed.length > 0 ? 'import type * as types from "./resources";\n' : ""}
${texts.join("\n")}`;
