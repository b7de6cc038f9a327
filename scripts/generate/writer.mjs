/** Converts schemas to the TypeScript interfaces of a generated file. */
import { createRequire } from "node:module";

const { fieldMetadata, catchallOf, deprecationOf } = createRequire(import.meta.url)(
  "../../dist/provider/schema/schema.js",
);

/** Returns the description of a schema. @throws if it has none. */
export function descriptionOf(schema, path) {
  if (schema.description) return schema.description;
  throw new Error(`${path} has no description: add a .describe().`);
}
export const isOptional = (schema) => schema._zod.def.type === "optional";
const inner = (schema) => (isOptional(schema) ? inner(schema._zod.def.innerType) : schema);
export const metadataOf = (schema) => fieldMetadata.get(inner(schema));
export const isComputed = (schema) => metadataOf(schema)?.computed === true;
export const commentOf = (schema, path) => comment([descriptionOf(schema, path), ...deprecatedTag([schema])]);

/** Returns the tag of a member that is deprecated in all variants that have it. */
export function deprecatedTag(schemas) {
  const messages = schemas.map(deprecationOf);
  return messages.includes(undefined) ? [] : [`@deprecated ${messages[0]}`];
}

/** Returns the doc comment of a member, on one line if there is only one. */
export function comment(lines) {
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/"));
  return safe.length === 1 ? `  /** ${safe[0]} */\n` : `  /**\n${safe.map((line) => `   * ${line}\n`).join("")}   */\n`;
}
export const plain = (type) => type;

/** @param rename Returns the name of an interface in this file. */
export function createWriter(rename = (name) => name) {
  const interfaces = new Map();

  /** Returns the type of a schema, and writes the interfaces of the objects in it. */
  function typeOf(schema, path, wrap) {
    const { type, ...def } = inner(schema)._zod.def;
    const into = {
      string: () => fieldMetadata.get(inner(schema))?.knownValues ?? "string",
      number: () => "number",
      boolean: () => "boolean",
      unknown: () => "unknown",
      literal: () => def.values.map((value) => JSON.stringify(value)).join(" | "),
      enum: () =>
        Object.values(def.entries)
          .map((value) => JSON.stringify(value))
          .join(" | "),
      array: () => listOf(wrap(typeOf(def.element, `${path}[]`, wrap))),
      record: () => `Record<string, ${wrap(typeOf(def.valueType, `${path}.*`, wrap))}>`,
      object: () => nameOf(inner(schema), path, wrap),
    }[type];
    if (!into) throw new Error(`${path}: schemas of type ${type} are not supported.`);
    return into();
  }

  function nameOf(schema, path, wrap) {
    const registered = fieldMetadata.get(schema)?.interface;
    if (!registered) throw new Error(`${path} is an object without an interface name; register one.`);
    const name = rename(registered);
    if (!interfaces.has(name)) {
      interfaces.set(name, "");
      const open = catchallOf(schema) ? `  [key: string]: ${wrap("unknown")};\n` : "";
      const { description } = fieldMetadata.get(schema);
      const text = interfaceText(name, schema.shape, () => wrap, path).replace(/}\n$/, `${open}}\n`);
      interfaces.set(name, description ? `/** ${description} */\n${text}` : text);
    }
    return name;
  }

  /** @param wrapOf Returns how to wrap the type of a field: inputs accept Outputs, the discriminator and outputs do not. */
  function interfaceText(name, shape, wrapOf, path, loose = []) {
    const written = Object.entries(shape).filter(([, schema]) => !isComputed(schema));
    const fields = written.map(([key, schema]) => {
      const wrap = wrapOf(key);
      const open = isOptional(schema) || loose.includes(key);
      return `${commentOf(schema, `${path}.${key}`)}  ${key}${open ? "?" : ""}: ${wrap(typeOf(schema, `${path}.${key}`, wrap), open)};\n`;
    });
    return `export interface ${name} {\n${fields.join("")}}\n`;
  }

  return { interfaces, typeOf, interfaceText };
}

const listOf = (type) => (type.includes(" | ") ? `(${type})[]` : `${type}[]`);
