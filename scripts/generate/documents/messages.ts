/**
 * Collects the texts that the sources show to users: errors, warnings, and the reasons and remedies in them. `…` stands
 * for what varies. Nothing is executed: the texts are read from the syntax of the sources.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../../setup/paths.mjs";
import { createReader, MIN_WORDS, walk, wordsIn } from "./text-forms.ts";

/** `part`: a reason or a remedy, which errors and warnings contain. */
export type Kind = "error" | "warning" | "part";

export interface Message {
  text: string;
  kind: Kind;
  /** The files that show it, relative to the root of the repository. */
  sources: string[];
}

const FOLDERS = ["cli", "plugin", "provider", "sdk/nodejs"];
/** Where reasons and remedies are composed to messages. The other folders print much else. */
const HAS_PARTS = /^(plugin(?!\/schema)|provider(?!\/schema\/model)|sdk)\//;
const WARNINGS = /(^|\.)(warn|warningRule|textWarning|textRejection)$/;

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
)
  .sort()
  .map((file) => ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.Latest, true));

const errorClasses = new Set(["UserError", "pulumi.RunError", "TypeError"]);
for (let size = 0; size !== errorClasses.size; ) {
  size = errorClasses.size;
  for (const { text } of files)
    for (const [, name = "", base = ""] of text.matchAll(/class (\w+) extends (\w+)/g))
      if (errorClasses.has(base)) errorClasses.add(name);
}

const isUserError = (node: ts.ClassLikeDeclaration | undefined) => errorClasses.has(node?.name?.text ?? "");

/** Returns the kind of a text by what receives it; undefined for a text that is not a message. */
function kindOf(node: ts.Expression): Kind | undefined {
  for (let at: ts.Node = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (ts.isNewExpression(parent) && errorClasses.has(parent.expression.getText())) return "error";
    if (ts.isCallExpression(parent) && parent.expression !== at) {
      const name = parent.expression.getText();
      if (name === "super") return isUserError(ts.findAncestor(parent, ts.isClassLike)) ? "error" : undefined;
      if (WARNINGS.test(name)) return "warning";
      if (/\.describe$/.test(name)) return undefined;
    }
    const property = ts.isPropertyAssignment(parent) ? parent.name.getText() : "";
    if (property === "warning") return "warning";
    if (property === "description") return undefined;
    if (ts.isFunctionLike(parent)) return "part";
    if (ts.isVariableDeclaration(parent) && /^[A-Z_]+$/.test(parent.name.getText())) return "part";
  }
  return undefined;
}

const isProse = (text: string) => /^[\s…"\w-]/.test(text) && /\w \w+ \w/.test(text.replaceAll("…", "x"));

/** Returns every text once, in the order of the files. */
export function messages(): Message[] {
  const reader = createReader(files);
  const found = new Map<string, Message>();
  for (const file of files)
    walk(file, (node) => {
      if (ts.isImportDeclaration(node)) return false;
      if (!reader.isText(node)) return true;
      const kind = kindOf(node);
      if (kind === undefined || (kind === "part" && !HAS_PARTS.test(file.fileName))) return false;
      for (const form of reader.formsOf(node)) {
        const text = form.trim().replace(/…{2,}/g, "…");
        if (wordsIn(text) < MIN_WORDS || !isProse(text)) continue;
        const known = found.get(text);
        if (!known) found.set(text, { text, kind, sources: [file.fileName] });
        else if (!known.sources.includes(file.fileName)) known.sources.push(file.fileName);
      }
      return false;
    });
  return [...found.values()];
}
