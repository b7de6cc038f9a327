/** Programs in TypeScript, with dynamic resources. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_NAME, packageSpecifier, projectName, usesEsModules } from "../project";
import type { Kind } from "../types";
import { printString } from "./code/strings";
import { Expression, printValue, WIDTH } from "./code/typescript-code";
import { printYaml } from "./code/yaml-code";
import type { Declaration, Program } from "./declarations";
import { ConfigReference, kindsInOrder, mapReferences, type OutputReference } from "./declared";
import { formatDynamicImportFile } from "./import-file";
import type { Files, Language, ProjectLocation } from "./language";
import { camelCase } from "./names";

/** Reserved words, and identifiers that the program itself uses. */
const RESERVED = [
  ..."await break case catch class const continue debugger default delete do else enum export extends".split(" "),
  ..."false finally for function if implements import in instanceof interface let new null package".split(" "),
  ..."private protected public return static super switch this throw true try typeof var void while".split(" "),
  ..."with yield".split(" "),
  ...["arguments", "eval", "undefined", "exports", "module", "require", "process", "globalThis"],
  ...["agentgraph", "pulumi", "config"],
];

export const typescript: Language = {
  naming: { reserved: RESERVED, toVariable: camelCase },
  mainFile: "index.ts",
  install: ["npm install"],
  commands: {
    requirement: "This requires Pulumi CLI 3.254 or newer.",
    preview: "pulumi preview --refresh",
    secretsNote:
      "The state contains no secrets yet. With `--refresh`, the preview reads the secrets of deployments from " +
      "the server and compares them with the configuration; without it, the preview only announces the " +
      "comparison. Equal secrets create no revision. The API never returns credentials of destinations, so " +
      "they show as an update in place until the first `pulumi up` has set them.",
    firstUpdateNote:
      "The first `pulumi up` compares the secrets. For each of these deployments whose latest revision " +
      "failed, it also retries that revision once with the same configuration, and shows a warning.",
  },
  sources: ({ declarations }, { folder }) => formatSources(declarations, usesEsModules(folder)),
  projectFiles,
  importFile: formatDynamicImportFile,
};

/** Up to this many resources are written to one file. */
const MAX_IN_ONE_FILE = 24;

/**
 * @param isModule Whether the package of the folder uses ES modules. There, the extension of a relative import depends
 * on what runs the program (`.ts` for Node, `.js` for ts-node and compilers), so everything is written to one file.
 */
export function formatSources(all: Program["declarations"], isModule = false): Files {
  const isOne = isModule || all.length <= MAX_IN_ONE_FILE;
  const kinds = kindsInOrder();
  const ofKind = (kind: Kind) => all.filter((one) => one.kind === kind);
  const declarationsOf = (kind: Kind) =>
    ofKind(kind).map((declaration) => formatDeclaration(declaration, isOne ? "const" : "export const"));
  if (isOne) return { "index.ts": formatFile(kinds.flatMap(declarationsOf)) };
  const present = kinds.filter((kind) => ofKind(kind).length > 0);
  const files = present.map((kind): [string, string] => {
    const refersTo = ofKind(kind).flatMap((one) => one.refersTo);
    return [`${kind}.ts`, formatFile(declarationsOf(kind), formatImports(refersTo))];
  });
  const index = present.map((kind) => `import "./${kind}";\n`).join("");
  return { "index.ts": index, ...Object.fromEntries(files) };
}

/** Returns a file with the imports that its declarations need. */
function formatFile(declarations: readonly string[], imports = ""): string {
  const body = declarations.join("\n");
  const hasSecrets = body.includes(REQUIRE_SECRET);
  const pulumi = hasSecrets ? 'import * as pulumi from "@pulumi/pulumi";\n' : "";
  const config = hasSecrets ? "const config = new pulumi.Config();\n\n" : "";
  return `${pulumi}import * as agentgraph from "pulumi-agentgraph";\n${imports}\n${config}${body}`;
}

/** Returns the imports from other files. Resources never refer to others of their own kind. */
function formatImports(refersTo: Declaration["refersTo"]): string {
  return kindsInOrder()
    .map((kind) => {
      const variables = refersTo.filter((to) => to.kind === kind).map(({ variable }) => variable);
      const imports = [...new Set(variables)].sort();
      if (imports.length === 0) return "";
      const line = `import { ${imports.join(", ")} } from "./${kind}";\n`;
      return line.length <= WIDTH + 1
        ? line
        : `import {\n${imports.map((name) => `  ${name},\n`).join("")}} from "./${kind}";\n`;
    })
    .join("");
}

const REQUIRE_SECRET = "config.requireSecret(";

function formatDeclaration({ name, variable, type, inputs, isReferenced }: Declaration, keyword: string): string {
  const values = mapReferences(inputs, (reference) =>
    reference instanceof ConfigReference
      ? new Expression(`${REQUIRE_SECRET}${printString(reference.key)})`)
      : new Expression(outputOf(reference)),
  );
  const call = `${isReferenced ? `${keyword} ${variable} = ` : ""}new agentgraph.${type}(`;
  const head = `${call}${printString(name)}, `;
  const fitsOnLine = head.length + 1 <= WIDTH;
  if (fitsOnLine) return `${head}${printValue(values, 0, head.length + 2)});\n`;
  return `${call}\n  ${printString(name)},\n  ${printValue(values, 2, 3)},\n);\n`;
}

const outputOf = ({ to, output, key }: OutputReference) =>
  `${to.variable}.${output}${key === undefined ? "" : `[${printString(key)}]`}`;

function projectFiles({ folder, from }: ProjectLocation): Files {
  const name = projectName(folder);
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  const packageFiles: Files = {
    "package.json": json({
      name: name.toLowerCase(),
      private: true,
      dependencies: { "@pulumi/pulumi": "^3.216.0", [PACKAGE_NAME]: packageSpecifier(folder, from) },
      // Otherwise the engine uses its own TypeScript, from 2020, which does not support `nodenext`.
      devDependencies: { typescript: "^6.0.3" },
    }),
    "tsconfig.json": json({
      compilerOptions: { target: "ES2022", module: "nodenext", strict: true, skipLibCheck: true, noEmit: true },
      files: ["index.ts"],
    }),
  };
  // An existing package keeps its own compiler and options.
  const missingPackageFiles = existsSync(join(folder, "package.json")) ? {} : packageFiles;
  return { ...missingPackageFiles, "Pulumi.yaml": printYaml({ name, runtime: "nodejs" }) };
}
