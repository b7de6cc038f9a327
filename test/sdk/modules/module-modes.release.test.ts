/** Every entry of the packages compiles in every module mode of TypeScript, with its own type declarations checked. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { newFolder } from "../../../emulator/test/support/folder";

const root = join(__dirname, "../../..");
const PROGRAM = `
import * as agentgraph from "pulumi-agentgraph";
import { startEmulator } from "pulumi-agentgraph-emulator";
import * as native from "pulumi-agentgraph/native";
import * as provider from "pulumi-agentgraph/provider";
new agentgraph.Thread("dynamic", { deploymentId: "1" });
new native.Thread("native", { deploymentId: "1" });
// @ts-expect-error The types are those of the package, not any.
new native.Thread(7);
export const exported = [startEmulator, ...Object.keys(provider)];
`;

let folder: string;
beforeAll(() => {
  folder = newFolder();
  mkdirSync(join(folder, "node_modules"));
  // Only what npm installs: the sources have the same names as some entries.
  for (const [name, from] of [
    ["pulumi-agentgraph", root],
    ["pulumi-agentgraph-emulator", join(root, "emulator")],
  ] as const) {
    const installed = join(folder, "node_modules", name);
    mkdirSync(installed);
    for (const item of ["package.json", "dist"]) symlinkSync(join(from, item), join(installed, item));
  }
  for (const scope of ["@pulumi", "@types"])
    symlinkSync(join(root, "node_modules", scope), join(folder, "node_modules", scope));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "index.ts"), PROGRAM);
});

const { CommonJS, ESNext, Node16, NodeNext } = ts.ModuleKind;
test.each([
  ["node10, as pulumi new writes it", CommonJS, ts.ModuleResolutionKind.Node10],
  ["node10 for ES modules", ESNext, ts.ModuleResolutionKind.Node10],
  ["node16", Node16, ts.ModuleResolutionKind.Node16],
  ["nodenext", NodeNext, ts.ModuleResolutionKind.NodeNext],
  ["bundler", ESNext, ts.ModuleResolutionKind.Bundler],
])("every entry compiles with the module resolution %s", (_name, module, moduleResolution) => {
  const options: ts.CompilerOptions = {
    ...{
      module,
      moduleResolution,
      target: ts.ScriptTarget.ES2020,
      strict: true,
      noEmit: true,
      ignoreDeprecations: "6.0",
    },
    ...{ skipLibCheck: false, types: ["node"], typeRoots: [join(folder, "node_modules/@types")] },
  };
  const program = ts.createProgram([join(folder, "index.ts")], options, ts.createCompilerHost(options));
  // Those of others are checked by others, which takes most of the time.
  const own = program.getSourceFiles().filter(({ fileName }) => isOwn(fileName));
  expect(own.length).toBeGreaterThan(20);
  const problems = [
    ...program.getOptionsDiagnostics(),
    ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  expect(problems.map(problemText)).toEqual([]);
});

const isOwn = (file: string) => file.startsWith(folder) || (file.startsWith(root) && !file.includes("/node_modules/"));
const problemText = ({ file, messageText }: ts.Diagnostic) =>
  `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
