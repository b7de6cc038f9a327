/**
 * How much someone has to know before writing a resource: the members of a definition and of what its verbs receive.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { definitions } from "../../../provider/definitions";
import { agentKinds } from "../../support/agents/kinds";

const ROOT = join(__dirname, "../../..");
const DEFINITION = join(ROOT, "provider/definition");
const RESOURCES = join(ROOT, "provider/resources");
const FILES = ["definition", "context"].map((name) => join(DEFINITION, `${name}.ts`));
/** What verbs return and the engine passes to them, most of which is optional. */
const RESULTS: readonly string[] = ["Observation", "UpdateRequest", "ReplaceRequest", "Resumption"];

/** Members that one resource uses. Each would cost others more as a function of that resource. */
const USED_BY_ONE: Readonly<Record<string, string>> = {
  "AdoptFacts.alias": "The command adopt knows no kind, and declares a default assistant by the name of its graph.",
  "AdoptFacts.isListedOnRequest":
    "The command adopt knows no kind, and nobody wants every conversation of users declared.",
  "Context.runStartedAt": "Only the session knows when the run began, and modules keep no state.",
  "ResourceLog.protect": "A secret that only a server has told must be redacted in the output of every host.",
  "ResourceLog.redact": "What is truncated must be redacted before, with the secrets that only the host knows.",
  "ResourceLog.infoOnStack": "A resource has no row for what concerns the run, and does not know the engine.",
};

/** Imports without a type are traversed, too: a helper belongs to each resource that uses it. */
function filesOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { fileName } of ts.preProcessFile(readFileSync(file, "utf8")).importedFiles) {
    const imported = join(dirname(file), `${fileName}.ts`);
    if (fileName.startsWith(".") && imported.startsWith(RESOURCES)) filesOf(imported, seen);
  }
  return seen;
}

const list = readFileSync(join(ROOT, "provider/definitions.ts"), "utf8");
const resources = [...list.matchAll(/"\.\/resources\/([\w-]+)"/g)].map(([, name = ""]) => ({
  name,
  files: filesOf(join(RESOURCES, `${name}.ts`)),
}));

const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
const sources = [...FILES, ...new Set(resources.flatMap(({ files }) => [...files]))];
const service = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  getCompilationSettings: () => options,
  getScriptFileNames: () => sources,
  getScriptVersion: () => "1",
  getScriptSnapshot: (path) => {
    const text = ts.sys.readFile(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => ROOT,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
});

interface Member {
  name: string;
  file: string;
  position: number;
}

/** Returns the members of the interfaces in a file, which must not hide some in other types. */
function membersOf(file: string): Member[] {
  const source = service.getProgram()?.getSourceFile(file);
  return (source?.statements ?? []).flatMap((statement) => {
    if (ts.isTypeAliasDeclaration(statement)) expect(statement.getText()).not.toMatch(/\{\s*\w+\??:[^}]*;\s*\w/);
    if (!ts.isInterfaceDeclaration(statement) || RESULTS.includes(statement.name.text)) return [];
    return statement.members.map((member) => ({
      name: `${statement.name.text}.${member.name?.getText()}`,
      file,
      position: member.name?.getStart() ?? 0,
    }));
  });
}

const members = FILES.flatMap(membersOf);

/** The resources whose verbs are in provider/objects/. */
const OWNED = ["cron", "thread", ...agentKinds.map(({ names }) => names.noun)];

/** Returns the resources whose files name a member: to state it or to use it. */
function usersOf({ file, position }: Member): string[] {
  const references = service.getReferencesAtPosition(file, position) ?? [];
  const naming = new Set(references.map(({ fileName }) => fileName));
  const isOfEngine = [...naming].some((file) => file.includes("/provider/objects/"));
  return resources
    .filter(({ name, files }) => [...files].some((one) => naming.has(one)) || (isOfEngine && OWNED.includes(name)))
    .map(({ name }) => name);
}

it("The files and members of all resources are found", () => {
  expect(resources).toHaveLength(definitions.length);
  const create = members.find(({ name }) => name === "Definition.create");
  expect(create && usersOf(create)).toHaveLength(definitions.length);
});

it("A definition has at most 30 members, and with what its verbs receive, at most 60", () => {
  expect(members.filter(({ name }) => name.startsWith("Definition.")).length).toBeLessThanOrEqual(30);
  expect(members.length).toBeLessThanOrEqual(60);
});

it("No member serves one resource alone, except where a function of the resource would cost more", () => {
  const single = members.filter((member) => usersOf(member).length === 1).map(({ name }) => name);
  expect(single.toSorted()).toEqual(Object.keys(USED_BY_ONE).toSorted());
});

it("Every member serves a resource, and those that defineResource completes serve all", () => {
  const unnamed = members.filter((member) => usersOf(member).length === 0).map(({ name }) => name);
  expect(unnamed).toEqual(["Definition.kind", "Definition.schema"]);
});
