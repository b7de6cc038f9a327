/** What an editor shows: hovers with an example and a link, and compiler errors that name the cause. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ts from "typescript";
import { definitions } from "../../provider/definitions";
import { functions } from "../../provider/functions/functions";
import { variantsOf } from "../../provider/schema/schema";

const ROOT = join(__dirname, "../..");
const IMPORTS = 'import * as agentgraph from "pulumi-agentgraph";\nimport * as pulumi from "@pulumi/pulumi";\n';
/** Declarations that the examples use. */
const GIVEN = `declare const config: pulumi.Config;
declare const agent: agentgraph.Deployment<"external_docker", "deployed">;
declare const lake: agentgraph.BulkExportDestination;
declare const january: agentgraph.BulkExport;
declare const welcome: agentgraph.Thread;
declare const concierge: agentgraph.Assistant;
declare const nightly: agentgraph.Cron;
declare const deploymentId: string, revisionId: string, threadId: string, integrationId: string, exportId: string;
declare const assistantId: string, cronId: string;
`;

let folder = "";
const files = new Map<string, string>();
let editor: ts.LanguageService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentgraph-editor-"));
  const packages = { "pulumi-agentgraph": ROOT, "@pulumi/pulumi": join(ROOT, "node_modules/@pulumi/pulumi") };
  for (const [name, target] of Object.entries(packages)) {
    const link = join(folder, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(target, link);
  }
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, strict: true, skipLibCheck: true };
  editor = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: (path) => String(files.get(path)?.length ?? 0),
    getScriptSnapshot: (path) => {
      const text = files.get(path) ?? ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (path) => files.has(path) || ts.sys.fileExists(path),
    readFile: (path) => files.get(path) ?? ts.sys.readFile(path),
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Opens another file in the editor. */
function open(name: string, code: string): string {
  const path = join(folder, name);
  const declared = /^const (\w+) =/.exec(code)?.[1];
  const given = GIVEN.split("\n").filter((line) => !line.startsWith(`declare const ${declared}:`));
  files.set(path, `${IMPORTS}${given.join("\n")}${code}`);
  return path;
}

/** Documentation and tags at the end of this piece of code. */
function hover(path: string, at: string): { text: string; tags: Record<string, string> } {
  const info = editor.getQuickInfoAtPosition(path, (files.get(path) ?? "").indexOf(`${at}(`) + at.length - 1);
  const tags = (info?.tags ?? []).map(({ name, text }) => [name, ts.displayPartsToString(text)]);
  return { text: ts.displayPartsToString(info?.documentation), tags: Object.fromEntries(tags) };
}

/** Returns the compiler errors of a file. */
function errors(path: string): string[] {
  const found = [...editor.getSyntacticDiagnostics(path), ...editor.getSemanticDiagnostics(path)];
  const texts = found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  // In which order the compiler lists values depends on what else it has seen.
  const sorted = (values: string) => values.split(" | ").sort().join(" | ");
  return texts.map((text) => text.replace(/"\w+"(?: \| "\w+")+/g, sorted));
}

const exampleOf = (tag: string | undefined) => /^```ts\n(.*)\n```$/s.exec(tag ?? "")?.[1] ?? "";
const pageOf = (tag: string | undefined) =>
  /\(node_modules\/pulumi-agentgraph\/(docs\/[\w-]+\.md)\)/.exec(tag ?? "")?.[1];

const kinds = definitions.map(({ kind }) => kind);
const functionForms = functions.flatMap(({ name }) => [name, `${name}Output`]);
const calls: Record<string, string> = Object.fromEntries([
  ...kinds.map((kind) => [kind, `new agentgraph.${kind}`]),
  ...functionForms.map((name) => [name, `agentgraph.${name}`]),
  ...kinds.map((kind) => [`${kind}.get`, `agentgraph.${kind}.get`]),
]);
const hoverOf = (name: string) => {
  const code = Object.values(calls).map((call) => `void ${call}("x" as never, {} as never);\n`);
  return hover(open("hovers.mts", code.join("")), calls[name] ?? "");
};

describe("a hover", () => {
  it.each([...kinds, ...functionForms])("over %s shows a sentence, and a link to a page that exists", (name) => {
    const { text, tags } = hoverOf(name);
    expect(text).toMatch(/^[A-Z].*\.$/s);
    expect(text).not.toMatch(/interface/i);
    expect(existsSync(join(ROOT, pageOf(tags.see) ?? "no page"))).toBe(true);
  });

  it("over every class and function shows an example that compiles", () => {
    const shown = [...kinds, ...functionForms].map((name) => [name, exampleOf(hoverOf(name).tags.example)] as const);
    expect(shown.filter(([name, example]) => !example.includes(`agentgraph.${name}(`))).toEqual([]);
    const examples = shown.map(([name, example]) => [name, open(`example-${name}.mts`, example)] as const);
    expect(examples.flatMap(([name, path]) => errors(path).map((error) => `${name}: ${error}`))).toEqual([]);
  });

  it("over a field of a class shows its description for every value of the discriminator", () => {
    for (const { kind, schema } of definitions) {
      const variants = variantsOf(schema.inputs);
      for (const key of new Set(variants.flatMap((variant) => Object.keys(variant.shape)))) {
        const code = `declare const resource: agentgraph.${kind}; void resource.${key}();\n`;
        const { text } = hover(open(`field-${kind}-${key}.mts`, code), `resource.${key}`);
        for (const { shape } of variants) if (shape[key]) expect(text).toContain(shape[key].description);
      }
    }
  });

  it.each(kinds)("over %s.get shows what it reads, and the form of the ID", (kind) => {
    const { text, tags } = hoverOf(`${kind}.get`);
    expect(text).toContain("Nothing is changed or deleted on the server");
    expect(tags.param).toMatch(/the ID that the API returns|deployment ID/);
  });
});

const SOURCES = '"external_docker" | "githost" | "internal_docker" | "internal_source" | "internal_template"';
it.each([
  [
    "a missing source",
    `new agentgraph.Deployment("a", { sourceRevisionConfig: { imageUri: "r.example/a:1" } });`,
    "Property 'source' is missing in type '{ sourceRevisionConfig: { imageUri: string; }; }' but required in " +
      `type '{ source: ${SOURCES};`,
  ],
  [
    "a source that does not exist",
    `new agentgraph.Deployment("a", { source: "docker", sourceRevisionConfig: { imageUri: "r.example/a:1" } });`,
    `Type '"docker"' is not assignable to type '${SOURCES}'.`,
  ],
  [
    "a field of another source",
    `new agentgraph.Deployment("a", { source: "external_docker", sourceConfig: { repoUrl: "x" }, ` +
      `sourceRevisionConfig: { imageUri: "x" } });`,
    "'repoUrl' does not exist in type 'ExternalDockerSourceConfigArgs",
  ],
])("the only compiler error for %s names it", (_what, code, expected) => {
  const found = errors(open(`wrong-${code.length}.mts`, code));
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(expected);
});
