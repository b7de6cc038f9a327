/** The public methods of the API clients, as their source declares them: a new one needs no entry anywhere. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

export interface ClientMethod {
  client: string;
  name: string;
  /** Names of its parameters; of a destructured one, `options`. */
  parameters: string[];
}

const ROOT = join(__dirname, "../../..");
const HIDDEN = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.StaticKeyword];

/** Returns the public methods of all classes below provider/api/, inherited ones included. */
export function clientMethods(): ClientMethod[] {
  const classes = globSync("provider/api/**/*.ts", { cwd: ROOT }).sort().flatMap(classesIn);
  return classes
    .filter((declaration) => !isAbstract(declaration))
    .flatMap((declaration) => methodsOf(declaration, classes));
}

function classesIn(file: string): ts.ClassDeclaration[] {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.ES2023);
  return source.statements.filter(ts.isClassDeclaration);
}

function methodsOf(declaration: ts.ClassDeclaration, classes: readonly ts.ClassDeclaration[]): ClientMethod[] {
  const client = declaration.name?.text ?? "";
  const parentName = declaration.heritageClauses?.[0]?.types[0]?.expression as ts.Identifier | undefined;
  const parent = classes.find(({ name }) => name !== undefined && name.text === parentName?.text);
  const inherited = parent ? methodsOf(parent, classes).map((method) => ({ ...method, client })) : [];
  const own = declaration.members
    .filter((member) => ts.isMethodDeclaration(member) || isReader(member))
    .filter((member) => isPublic(member) && !isAbstract(member))
    .map((member) => ({
      ...{ client, name: (member.name as ts.Identifier).text },
      parameters: ts.isMethodDeclaration(member) ? member.parameters.map(parameterName) : ["id"],
    }));
  return [...inherited.filter(({ name }) => own.every((method) => method.name !== name)), ...own];
}

const parameterName = ({ name }: ts.ParameterDeclaration) => (ts.isIdentifier(name) ? name.text : "options");

/** Whether a property is a function of an ID that shares requests. */
function isReader(member: ts.ClassElement): member is ts.PropertyDeclaration {
  const creator =
    ts.isPropertyDeclaration(member) && member.initializer && ts.isCallExpression(member.initializer)
      ? (member.initializer.expression as ts.Identifier).text
      : "";
  return ["createLoader", "createIdReader"].includes(creator);
}

const isPublic = ({ modifiers }: ts.MethodDeclaration | ts.PropertyDeclaration) =>
  !modifiers?.some(({ kind }) => HIDDEN.includes(kind));

const isAbstract = ({ modifiers }: ts.MethodDeclaration | ts.PropertyDeclaration | ts.ClassDeclaration) =>
  modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword) === true;
