/** The text of sdk/nodejs/enums.ts: the values of each enum, with the names that all languages share. */
import type { ComplexTypeSpec, EnumSpec } from "../../../dist/plugin/schema/spec.js";
import { nameOf } from "../documents/schema-fields.ts";
import { schema } from "../schema.ts";
import { text as resourcesText } from "./resources.ts";

const isEnum = (type: ComplexTypeSpec): type is EnumSpec => "enum" in type;
const hasType = (name: string) => new RegExp(`^export type ${name} =`, "m").test(resourcesText);
const enums = Object.entries(schema.types).flatMap(([token, type]) =>
  isEnum(type) ? [{ name: nameOf(token), ...type }] : [],
);
const imports = enums.some(({ name }) => hasType(name)) ? 'import type * as types from "./resources";\n' : "";

const texts = enums.map(({ name, description, enum: members }) => {
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
${imports}
${texts.join("\n")}`;
