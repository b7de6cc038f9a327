/** Writes types in Python, whose values may be Outputs as those of every resource. */
import { quote } from "./text";
import type { Declaration, Field, GraphTypes, Type } from "./type";

/** @param header Lines of comments at the beginning. */
export function toPython(header: readonly string[], graphs: readonly GraphTypes[]): string {
  const blocks = graphs.flatMap(({ declarations }) => declarations.map(declaration));
  const body = blocks.map((block) => `\n\n${block}`).join("");
  return `${header.map((line) => `# ${line}\n`).join("")}${importsOf(body)}${body}`;
}

const TYPING = ["Any", "Literal", "Mapping", "NoReturn", "Sequence", "Tuple", "TypeAlias", "TypedDict", "Union"];

/** Docstrings, other texts and comments. */
const TEXTS = /"""(?:\\[\s\S]|[^\\])*?"""|"(?:\\.|[^"\\])*"|#[^\n]*/g;

/** Strict checks reject an import that is not used. */
function importsOf(body: string): string {
  const code = body.replace(TEXTS, "");
  const isUsed = (name: string) => new RegExp(`(^|[\\s(\\[])${name}\\b`).test(code);
  const typing = TYPING.filter(isUsed);
  const isOptional = isUsed("NotRequired");
  const hasInputs = isUsed("pulumi");
  return [
    ...(isOptional ? ["import sys\n"] : []),
    ...(typing.length > 0 ? [`from typing import ${typing.join(", ")}\n`] : []),
    ...(hasInputs ? ["\nimport pulumi\n"] : []),
    ...(isOptional ? ["\nif sys.version_info >= (3, 11):\n    from typing import NotRequired\n"] : []),
    ...(isOptional ? ["else:\n    from typing_extensions import NotRequired\n"] : []),
  ].join("");
}

const KEYWORDS =
  "False None True and as assert async await break class continue def del elif else except finally for from " +
  "global if import in is lambda nonlocal not or pass raise return try while with yield";
/** As fields of a class, these would hide what the types of the other fields mean. */
const USED = "NotRequired bool float int pulumi str";
const RESERVED: ReadonlySet<string> = new Set([...KEYWORDS.split(" "), ...USED.split(" "), ...TYPING]);

/** Whether a class can have a field of this name. A class renames those that begin with two underscores. */
const isName = (key: string) => /^(?!__)[A-Za-z_]\w*$/.test(key) && !RESERVED.has(key);

function declaration({ name, comment, shape }: Declaration): string {
  if ("alias" in shape) return `${hashComment(comment)}${name}: TypeAlias = ${typeText(shape.alias)}\n`;
  const { fields, others } = shape;
  const lines = others ? [...comment, "Other keys are accepted too, which no TypedDict expresses."] : comment;
  if (fields.every(({ key }) => isName(key)))
    return `class ${name}(TypedDict):\n${[docString(lines), ...fields.map(member)].join("")}`;
  const items = fields.map(
    (field) => `${hashComment(commentOf(field), "        ")}        ${literal(field.key)}: ${fieldType(field)},\n`,
  );
  return `${hashComment(lines)}${name} = TypedDict(\n    "${name}",\n    {\n${items.join("")}    },\n)\n`;
}

const member = (field: Field): string => `    ${field.key}: ${fieldType(field)}\n${docString(commentOf(field))}`;

const fieldType = ({ type, isRequired }: Field): string =>
  isRequired ? inputOf(type) : `NotRequired[${inputOf(type)}]`;

/** No Literal is a number with a fraction. */
function commentOf({ type, comment }: Field): readonly string[] {
  const values = (type.kind === "union" ? type.types : [type]).flatMap((one) =>
    one.kind === "literal" && isFraction(one.value) ? [String(one.value)] : [],
  );
  return values.length > 0 ? [...comment, `One of ${values.join(", ")}.`] : comment;
}

const isFraction = (value: unknown) => typeof value === "number" && !Number.isInteger(value);

const inputOf = (type: Type): string => `pulumi.Input[${typeText(type)}]`;

const SIMPLE = {
  string: "str",
  number: "float",
  integer: "int",
  boolean: "bool",
  null: "None",
  unknown: "Any",
  never: "NoReturn",
};

function typeText(type: Type): string {
  switch (type.kind) {
    case "literal":
      return isFraction(type.value) ? "float" : `Literal[${literal(type.value)}]`;
    case "list":
      return `Sequence[${inputOf(type.item)}]`;
    case "tuple":
      return tupleText(type);
    case "map":
      return `Mapping[str, ${inputOf(type.value)}]`;
    case "union":
      return unionText(type.types);
    case "reference":
      return `"${type.name}"`;
    default:
      return SIMPLE[type.kind];
  }
}

/** Returns a tuple where its length is known. */
function tupleText({ items, required, rest }: Extract<Type, { kind: "tuple" }>): string {
  if (rest === undefined && items.length === 0) return "Tuple[()]";
  if (rest === undefined && required === items.length) return `Tuple[${items.map(inputOf).join(", ")}]`;
  return `Sequence[${inputOf({ kind: "union", types: [...items, ...(rest ? [rest] : [])] })}]`;
}

function unionText(types: readonly Type[]): string {
  const values = types.flatMap((type) =>
    type.kind === "literal" && !isFraction(type.value) ? [literal(type.value)] : [],
  );
  const others = types.filter((type) => type.kind !== "literal" || isFraction(type.value)).map(typeText);
  const texts = [...new Set([...(values.length > 0 ? [`Literal[${values.join(", ")}]`] : []), ...others])];
  return texts.length === 1 ? (texts[0] ?? "") : `Union[${texts.join(", ")}]`;
}

function literal(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  return quote(value, (codePoint) => `\\U${codePoint.padStart(8, "0")}`);
}

const hashComment = (lines: readonly string[], indent = ""): string =>
  lines
    .map((line) => `${indent}# ${line}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("");

/** Returns the docstring of a class or a field, which editors show. */
function docString(lines: readonly string[]): string {
  const safe = lines.map((line) => line.replaceAll("\\", "\\\\").replace(/"(?="|$)/g, '\\"'));
  if (safe.length === 0) return "";
  if (safe.length === 1) return `    """${safe[0]}"""\n`;
  return `    """\n${safe
    .map((line) => `    ${line}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("")}    """\n`;
}
