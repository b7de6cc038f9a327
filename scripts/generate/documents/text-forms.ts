/** Reads the texts that an expression can have from the syntax of the sources. `…` stands for what varies. */
import ts from "typescript";

type Declarations = Map<string, ts.Expression[]>;

/** The most forms of a text; one with more has `…` in their place. */
const MAX_FORMS = 4;
/** A text with fewer words would be found everywhere; a part with fewer, such as a duration, is `…`. */
export const MIN_WORDS = 3;
const VARIES = ["…"];

/** Calls `visit` for each node of a tree, but not for those below a node for which it returns false. */
export function walk(node: ts.Node, visit: (node: ts.Node) => boolean): void {
  if (visit(node)) ts.forEachChild(node, (child) => walk(child, visit));
}

/** Returns what a function returns. */
function returnedBy(node: ts.ArrowFunction | ts.FunctionDeclaration): ts.Expression[] {
  if (node.body && !ts.isBlock(node.body)) return [node.body];
  const found: ts.Expression[] = [];
  ts.forEachChild(node, (child) =>
    walk(child, (inner) => {
      if (ts.isReturnStatement(inner) && inner.expression) found.push(inner.expression);
      return !ts.isFunctionLike(inner);
    }),
  );
  return found;
}

/** Returns the values of the constants and functions of a file, by name; none for a name that it has several times. */
function declarationsIn(file: ts.SourceFile): Declarations {
  const found: Declarations = new Map();
  const add = (name: ts.Node | undefined, values: ts.Expression[]) => {
    if (name && ts.isIdentifier(name)) found.set(name.text, found.has(name.text) ? [] : values);
  };
  walk(file, (node) => {
    if (ts.isFunctionDeclaration(node)) add(node.name, returnedBy(node));
    if (ts.isParameter(node)) add(node.name, []);
    if (ts.isVariableDeclaration(node) && node.initializer)
      add(node.name, ts.isArrowFunction(node.initializer) ? returnedBy(node.initializer) : [node.initializer]);
    return true;
  });
  return found;
}

const isBinary = (node: ts.Node, ...operators: ts.SyntaxKind[]): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && operators.includes(node.operatorToken.kind);
const isAddition = (node: ts.Node) => isBinary(node, ts.SyntaxKind.PlusToken);
const isFallback = (node: ts.Node) => isBinary(node, ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken);
const isJoin = (node: ts.Expression): node is ts.PropertyAccessExpression =>
  ts.isPropertyAccessExpression(node) && node.name.text === "join";

/** Returns each text of the first list with each of the second, and so on. */
function combine(parts: readonly (readonly string[])[]): readonly string[] {
  return parts.reduce(
    (before, next) => {
      const all = before.flatMap((text) => next.map((part) => text + part));
      return all.length > MAX_FORMS ? before.map((text) => `${text}…`) : all;
    },
    [""],
  );
}

/** The number of words of a text. */
export const wordsIn = (text: string) => text.match(/\w{2,}/g)?.length ?? 0;
/** What is part of a text: without forms that differ in a word or two. */
const simplified = (forms: readonly string[]) =>
  forms.length > 1 && forms.every((form) => wordsIn(form) < MIN_WORDS) ? VARIES : [...new Set(forms)];

/** Reads expressions of these files, with the constants and functions of the same and, where exported, other files. */
export function createReader(files: readonly ts.SourceFile[]) {
  const declarations = new Map(files.map((file) => [file, declarationsIn(file)]));
  const exported: Declarations = new Map();
  for (const [file, found] of declarations)
    for (const [name, values] of found)
      if (new RegExp(`^export (const|function|async function) ${name}\\b`, "m").test(file.text))
        exported.set(name, exported.has(name) ? [] : values);

  /** @param within Names that are being read, against cycles. */
  function formsOf(node: ts.Expression, within: readonly string[] = []): readonly string[] {
    const inner = (child: ts.Expression) => simplified(formsOf(child, within));
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isParenthesizedExpression(node)) return formsOf(node.expression, within);
    if (ts.isTemplateExpression(node)) {
      const spans = node.templateSpans.flatMap(({ expression, literal }) => [inner(expression), [literal.text]]);
      return combine([[node.head.text], ...spans]);
    }
    if (isAddition(node)) return combine([inner(node.left), inner(node.right)]);
    if (isFallback(node)) return [...inner(node.left), ...inner(node.right)];
    if (ts.isConditionalExpression(node)) return [...inner(node.whenTrue), ...inner(node.whenFalse)];
    if (ts.isCallExpression(node)) return calledForms(node, within);
    return ts.isIdentifier(node) ? namedForms(node, within) : VARIES;
  }

  function calledForms({ expression, arguments: args }: ts.CallExpression, within: readonly string[]) {
    if (ts.isIdentifier(expression)) return namedForms(expression, within);
    if (!isJoin(expression) || !ts.isArrayLiteralExpression(expression.expression)) return VARIES;
    const separator = args[0] && ts.isStringLiteralLike(args[0]) ? args[0].text : ",";
    const { elements } = expression.expression;
    return combine(
      elements.flatMap((element, index) => [[index > 0 ? separator : ""], simplified(formsOf(element, within))]),
    );
  }

  function namedForms(node: ts.Identifier, within: readonly string[]): readonly string[] {
    const name = node.text;
    if (within.includes(name)) return VARIES;
    const values = declarations.get(node.getSourceFile())?.get(name) ?? exported.get(name) ?? [];
    const forms = [...new Set(values.flatMap((value) => formsOf(value, [...within, name])))];
    return forms.length === 0 || forms.length > MAX_FORMS ? VARIES : forms;
  }

  const isText = (node: ts.Node): node is ts.Expression =>
    ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || isAddition(node);
  return { formsOf, isText };
}
