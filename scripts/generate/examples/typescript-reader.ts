/**
 * Reads a block of TypeScript that only declares: configuration, resources, calls of functions, and outputs. Its
 * program in YAML is what the other languages are written from, so the author of a page writes one block.
 */
import ts from "typescript";
import type { Yaml } from "./program.ts";

export interface Declarations {
  program: Yaml;
  /** Whether the block depends on variables and imports around it. */
  isFragment: boolean;
  /** The names of variables, by the names in YAML. */
  variables: ReadonlyMap<string, string>;
}

const PACKAGES = ["@pulumi/pulumi", "pulumi-agentgraph"];

/** Thrown at what only TypeScript expresses, such as a class, a loop or a computed text. */
const FAILED = new Error("only TypeScript expresses this");

/** @returns undefined if the block does more than declare. @param known The variables around it. */
export function readTypescript(text: string, known: readonly string[]): Declarations | undefined {
  try {
    return new Reader(known).read(text);
  } catch (error) {
    if (error === FAILED) return undefined;
    throw error;
  }
}

class Reader {
  readonly #program: Required<Yaml> = { config: {}, resources: {}, variables: {}, outputs: {} };
  /** The names in YAML, by the names of variables. */
  readonly #names = new Map<string, string>();

  constructor(known: readonly string[]) {
    for (const name of known) this.#names.set(name, name);
  }

  read(text: string): Declarations | undefined {
    const { statements } = ts.createSourceFile("block.ts", text, ts.ScriptTarget.Latest);
    for (const statement of statements) this.#statement(statement);
    const { resources, variables } = this.#program;
    if (Object.keys({ ...resources, ...variables }).length === 0) return undefined;
    const filled = Object.entries(this.#program).filter(([, entries]) => Object.keys(entries).length > 0);
    return {
      program: Object.fromEntries(filled),
      isFragment: !statements.some(ts.isImportDeclaration),
      variables: new Map([...this.#names].map(([variable, name]) => [name, variable])),
    };
  }

  #statement(statement: ts.Statement) {
    if (ts.isImportDeclaration(statement)) return assertKnown(statement);
    if (ts.isExpressionStatement(statement) && ts.isNewExpression(statement.expression))
      return this.#resource(statement.expression);
    if (!ts.isVariableStatement(statement)) throw FAILED;
    const [{ name, initializer }, ...others] = statement.declarationList.declarations as unknown as [
      ts.VariableDeclaration,
    ];
    if (!ts.isIdentifier(name) || !initializer || others.length > 0) throw FAILED;
    const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (ts.isPropertyAccessExpression(initializer) && isExported)
      this.#program.outputs[name.text] = this.#reference(initializer);
    else if (isExported) throw FAILED;
    else this.#variable(name.text, initializer);
  }

  #variable(variable: string, value: ts.Expression) {
    if (ts.isNewExpression(value)) {
      if (textOf(value.expression) !== "pulumi.Config") this.#names.set(variable, this.#resource(value));
      return;
    }
    const call = ts.isAwaitExpression(value) ? value.expression : value;
    if (!ts.isCallExpression(call)) throw FAILED;
    const [, name] = /^agentgraph\.(get\w+?)(?:Output)?$/.exec(textOf(call.expression)) ?? [];
    if (!name || call.arguments.length > 1) throw FAILED;
    const [args] = call.arguments;
    this.#names.set(variable, variable);
    this.#program.variables[variable] = {
      "fn::invoke": { function: `agentgraph:${name}`, ...(args && { arguments: this.#object(args) }) },
    };
  }

  #resource({ expression, arguments: args = [] as never }: ts.NewExpression) {
    const [, type] = /^agentgraph\.(\w+)$/.exec(textOf(expression)) ?? [];
    const [name, properties, options] = args;
    if (!type || !name || !ts.isStringLiteral(name) || !properties) throw FAILED;
    this.#program.resources[name.text] = {
      type: type === "Provider" ? "pulumi:providers:agentgraph" : `agentgraph:${type}`,
      properties: this.#object(properties),
      ...(options && { options: this.#options(options) }),
    };
    return name.text;
  }

  #object(object: ts.Expression): Record<string, unknown> {
    return Object.fromEntries(entriesOf(object).map(([key, value]) => [key, this.#value(value)]));
  }

  /** Other resources, and timeouts. */
  #options(options: ts.Expression) {
    const read = (value: ts.Expression) => {
      if (ts.isIdentifier(value)) return `\${${this.#nameOf(value.text)}}`;
      return this.#object(value) as Record<string, string>;
    };
    return Object.fromEntries(entriesOf(options).map(([key, value]) => [key, read(value)]));
  }

  #value(value: ts.Expression): unknown {
    if (ts.isStringLiteralLike(value)) return value.text;
    if (ts.isNumericLiteral(value)) return Number(value.text);
    if (value.kind === ts.SyntaxKind.TrueKeyword) return true;
    if (value.kind === ts.SyntaxKind.FalseKeyword) return false;
    if (ts.isArrayLiteralExpression(value)) return value.elements.map((element) => this.#value(element));
    if (ts.isObjectLiteralExpression(value)) return this.#object(value);
    if (ts.isPropertyAccessExpression(value)) return this.#reference(value);
    if (ts.isCallExpression(value)) return this.#configuration(value);
    if (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.AsteriskToken)
      return (this.#value(value.left) as number) * (this.#value(value.right) as number);
    throw FAILED;
  }

  #configuration({ expression, arguments: [key] }: ts.CallExpression) {
    const method = textOf(expression);
    if (!/^config\.require(Secret)?$/.test(method) || !key || !ts.isStringLiteral(key)) throw FAILED;
    this.#program.config[key.text] = { type: "string", ...(method.endsWith("Secret") && { secret: true }) };
    return `\${${key.text}}`;
  }

  #reference({ expression, name }: ts.PropertyAccessExpression) {
    if (!ts.isIdentifier(expression)) throw FAILED;
    return `\${${this.#nameOf(expression.text)}.${name.text}}`;
  }

  #nameOf(variable: string) {
    const name = this.#names.get(variable);
    if (name === undefined) throw FAILED;
    return name;
  }
}

function assertKnown({ moduleSpecifier }: ts.ImportDeclaration) {
  if (ts.isStringLiteral(moduleSpecifier) && PACKAGES.includes(moduleSpecifier.text)) return;
  throw FAILED;
}

/** "agentgraph.Thread". */
function textOf(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? `${textOf(expression.expression)}.${expression.name.text}` : "";
}

function entriesOf(object: ts.Expression) {
  if (!ts.isObjectLiteralExpression(object)) throw FAILED;
  return object.properties.map((property): [string, ts.Expression] => {
    if (!ts.isPropertyAssignment(property) || ts.isComputedPropertyName(property.name)) throw FAILED;
    return [property.name.text, property.initializer];
  });
}
