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

/** Returns the public methods of all classes below provider/api/. */
export function clientMethods(): ClientMethod[] {
  return globSync("provider/api/**/*.ts", { cwd: ROOT }).sort().flatMap(methodsIn);
}

function methodsIn(file: string): ClientMethod[] {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.ES2023);
  return source.statements.filter(ts.isClassDeclaration).flatMap((declaration) => {
    const client = declaration.name?.text ?? "";
    const methods = declaration.members.filter(ts.isMethodDeclaration).filter(isPublic);
    return methods.map(({ name, parameters }) => ({
      ...{ client, name: (name as ts.Identifier).text },
      parameters: parameters.map((parameter) => (ts.isIdentifier(parameter.name) ? parameter.name.text : "options")),
    }));
  });
}

const isPublic = ({ modifiers }: ts.MethodDeclaration) => !modifiers?.some(({ kind }) => HIDDEN.includes(kind));
