/** Writes types in TypeScript. */
import { quote } from "./text";
import type { Declaration, Field, GraphTypes, Type } from "./type";

/** @param header Lines of comments at the beginning. */
export function toTypeScript(header: readonly string[], graphs: readonly GraphTypes[]): string {
  const blocks = graphs.flatMap(({ declarations }) => declarations.map(declaration));
  return `${[header.map((line) => `// ${line}\n`).join(""), ...blocks].join("\n")}`;
}

/**
 * An alias rather than an interface: only its values are also those of a type with any keys, such as a plain
 * Assistant's.
 */
function declaration({ name, comment, shape }: Declaration): string {
  if ("alias" in shape) return `${docComment(comment)}export type ${name} = ${typeText(shape.alias)};\n`;
  const { fields, others } = shape;
  const index = others ? [`  [key: string]: ${indexText(others, fields)};\n`] : [];
  return `${docComment(comment)}export type ${name} = {\n${[...fields.map(member), ...index].join("")}};\n`;
}

/** In TypeScript, the type of further keys contains those of all. */
function indexText(others: Type, fields: readonly Field[]): string {
  const texts = [others, ...fields.map(({ type }) => type)].map(typeText);
  if (texts.includes("unknown")) return "unknown";
  return [...new Set([...texts, ...(fields.every(({ isRequired }) => isRequired) ? [] : ["undefined"])])].join(" | ");
}

function member({ key, type, isRequired, comment }: Field): string {
  return `${docComment(comment, "  ")}  ${keyText(key)}${isRequired ? "" : "?"}: ${typeText(type)};\n`;
}

const keyText = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) && key !== "__proto__" ? key : literal(key));

const literal = (text: string) => quote(text, (codePoint) => `\\u{${codePoint}}`);

function typeText(type: Type): string {
  switch (type.kind) {
    case "integer":
      return "number";
    case "literal":
      return typeof type.value === "string" ? literal(type.value) : String(type.value);
    case "list":
      return listText(type.item);
    case "tuple":
      return tupleText(type);
    case "map":
      return `{ [key: string]: ${typeText(type.value)} }`;
    case "union":
      return [...new Set(type.types.map(typeText))].join(" | ");
    case "reference":
      return type.name;
    default:
      return type.kind;
  }
}

function listText(item: Type): string {
  const text = typeText(item);
  return item.kind === "union" ? `(${text})[]` : `${text}[]`;
}

function tupleText({ items, required, rest }: Extract<Type, { kind: "tuple" }>): string {
  const texts = items.map((item, index) => {
    const text = typeText(item);
    if (index < required) return text;
    return item.kind === "union" ? `(${text})?` : `${text}?`;
  });
  return `[${[...texts, ...(rest ? [`...${listText(rest)}`] : [])].join(", ")}]`;
}

function docComment(lines: readonly string[], indent = ""): string {
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/"));
  if (safe.length === 0) return "";
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}
