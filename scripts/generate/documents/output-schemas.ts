/** The JSON Schema of what each command prints with --json, with its comments, in docs/schemas/ and emulator/. */
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../../setup/paths.mjs";
import { OUTPUTS } from "./outputs.ts";

type Schema = Readonly<Record<string, unknown>>;

const files = [...new Set(Object.values(OUTPUTS).map(({ declaration: [file] }) => join(ROOT, file)))];
const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
const program = ts.createProgram(files, options);
const checker = program.getTypeChecker();

/** Returns the schema of a type. @throws for a type that JSON does not have. */
function schemaOf(type: ts.Type, path: string): Schema {
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
  if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === "true" };
  if (type.flags & ts.TypeFlags.StringLike) return { type: "string" };
  if (type.flags & ts.TypeFlags.NumberLike) return { type: "number" };
  if (type.flags & ts.TypeFlags.Null) return { type: "null" };
  if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return {};
  if (type.isUnion()) return unionOf(type.types, path);
  if (checker.isArrayType(type) || checker.isTupleType(type)) return arrayOf(type as ts.TypeReference, path);
  if (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return objectOf(type, path);
  throw new Error(`${path}: ${checker.typeToString(type)} is not a type of JSON.`);
}

function unionOf(types: readonly ts.Type[], path: string): Schema {
  const defined = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
  const schemas = new Map(defined.map((type) => schemaOf(type, path)).map((one) => [JSON.stringify(one), one]));
  const all = [...schemas.values()];
  if (all.every((one) => "const" in one)) {
    const values = all.map((one) => one.const);
    if (values.length === 2 && values.every((value) => typeof value === "boolean")) return { type: "boolean" };
    return values.length === 1 ? { const: values[0] } : { enum: values };
  }
  return all.length === 1 ? (all[0] ?? {}) : { anyOf: all };
}

function arrayOf(type: ts.TypeReference, path: string): Schema {
  const items = unionOf(checker.getTypeArguments(type), `${path}[]`);
  return { type: "array", items };
}

/** Objects that contain themselves are not described below their second level. */
const within: ts.Type[] = [];

function objectOf(type: ts.Type, path: string): Schema {
  if (within.includes(type)) return {};
  within.push(type);
  const values = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  const fields = checker.getPropertiesOfType(type).map((field) => {
    const fieldType = checker.getTypeOfSymbol(field);
    const description = ts.displayPartsToString(field.getDocumentationComment(checker)).replaceAll("\n", " ");
    const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0 || mayBeUndefined(fieldType);
    const schema = schemaOf(fieldType, `${path}.${field.name}`);
    return { name: field.name, isOptional, schema: { ...(description && { description }), ...schema } };
  });
  within.pop();
  const required = fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    ...(fields.length > 0 && { properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])) }),
    additionalProperties: values ? schemaOf(values, `${path}.*`) : false,
  };
}

const mayBeUndefined = (type: ts.Type) =>
  type.isUnion() && type.types.some(({ flags }) => flags & ts.TypeFlags.Undefined);

/** Returns the text of a schema. @throws when its declaration does not exist. */
export function textOf(schemaFile: string): string {
  const { declaration: [file, name] = ["", ""], title } = OUTPUTS[schemaFile] ?? {};
  const declared = program.getSourceFile(join(ROOT, file))?.statements.flatMap(declarationsOf);
  const found = declared?.find((one) => one.name?.getText() === name);
  if (!found) throw new Error(`${file} does not declare ${name}.`);
  const type = checker.getTypeAtLocation(found);
  const [signature] = type.getCallSignatures();
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    ...schemaOf(signature?.getReturnType() ?? type, name),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

type Declared = ts.VariableDeclaration | ts.FunctionDeclaration | ts.InterfaceDeclaration;

function declarationsOf(statement: ts.Statement): readonly Declared[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations;
  return ts.isFunctionDeclaration(statement) || ts.isInterfaceDeclaration(statement) ? [statement] : [];
}
