/**
 * Checks the SDK of a program in Python, Go or Java: which version it runs with, and whether the plugin has the same.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "../../shared/check";
import { runCommand } from "../../shared/command";
import { packageVersion } from "../../shared/version";
import { findPythonPackages } from "./python";

interface Program {
  /** Folder of the project file. */
  project: string;
  /** Folder of the program. */
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Version of the plugin, if it is known. */
  pluginVersion: string | undefined;
}

/** Returns nothing for YAML, which needs no SDK. */
export function checkSdks(runtime: string, program: Program): Promise<Check[]> {
  const check = { python: checkPython, go: checkGo, java: checkJava }[runtime];
  return check?.(program) ?? Promise.resolve([]);
}

async function checkPython(program: Program): Promise<Check[]> {
  const { interpreter, packages } = await findPythonPackages(
    ["pulumi-agentgraph", "pulumi"],
    program.project,
    program.env,
  );
  if (!packages) {
    const remedy =
      "Run `pulumi install` in the folder of Pulumi.yaml to create the virtual environment, or correct " +
      "`runtime.options` in that file.";
    return [
      { id: "package", status: "fix", message: `the interpreter of the program does not run: ${interpreter}`, remedy },
    ];
  }
  const { pulumi, "pulumi-agentgraph": sdk } = packages;
  const missing = (id: string, name: string): Check => ({
    id,
    status: "fix",
    message: `${name} is not installed for ${interpreter}`,
    remedy:
      name === "pulumi"
        ? "Run `pulumi install` in the folder of Pulumi.yaml."
        : "Install it there: see docs/languages.md.",
  });
  return [
    sdk
      ? compare("pulumi_agentgraph", sdk.version, `from ${sdk.folder}`, program)
      : missing("package", "pulumi_agentgraph"),
    pulumi
      ? { id: "sdk", status: "ok", message: `pulumi ${pulumi.version}, from ${pulumi.folder}` }
      : missing("sdk", "pulumi"),
  ];
}

const GO_MODULE = /\/pulumi-agentgraph\/sdk\/go$/;

/** Asks Go, which applies the directives of go.mod, without downloading anything. */
async function checkGo(program: Program): Promise<Check[]> {
  const id = "package";
  const format = "{{.Path}}\t{{with .Replace}}{{.Version}}{{else}}{{.Version}}{{end}}\t{{.Dir}}";
  const env = { ...program.env, GOPROXY: "off", GOFLAGS: "-mod=readonly", GOTOOLCHAIN: "local" };
  const { outcome, stdout } = await runCommand("go", ["list", "-m", "-e", "-f", format, "all"], {
    folder: program.folder,
    env,
  });
  if (outcome !== "ok") {
    const message =
      "the version of the Go SDK is not known: " +
      `${outcome === "missing" ? "Go is not on PATH" : "`go list -m all` failed"}`;
    return [{ id, status: "note", message, remedy: `To see the reason, run \`go list -m all\` in ${program.folder}` }];
  }
  const modules = stdout.split("\n").map((line) => line.split("\t"));
  const [path, version, folder] = modules.find(([name = ""]) => GO_MODULE.test(name)) ?? [];
  if (path === undefined) {
    const remedy = "Add the module sdk/go of this package to go.mod: see docs/languages.md.";
    return [{ id, status: "fix", message: `go.mod in ${program.folder} does not require the Go SDK`, remedy }];
  }
  return [compare("the Go SDK", version?.replace(/^v/, ""), `from ${folder || path}`, program)];
}

/** Maven resolves the version when it builds, so this is what pom.xml asks for. */
async function checkJava(program: Program): Promise<Check[]> {
  const file = join(program.folder, "pom.xml");
  const pattern = /<artifactId>agentgraph<\/artifactId>(?:\s*<version>([\w.+-]+)<\/version>)?/;
  const match = existsSync(file) ? pattern.exec(readFileSync(file, "utf8")) : null;
  if (match) return [compare("the Java SDK", match[1], `required by ${file}`, program)];
  const message = `the Java SDK is not required by ${file}`;
  return [
    { id: "package", status: "fix", message, remedy: "Add com.pulumi:agentgraph to pom.xml: see docs/languages.md." },
  ];
}

/**
 * Compares a version with that of the plugin, otherwise with that of this command. @param where Such as "from
 * /program/venv".
 */
function compare(name: string, version: string | undefined, where: string, { pluginVersion }: Program): Check {
  const id = "package";
  if (!version) return { id, status: "note", message: `${name} of unknown version, ${where}` };
  const message = `${name} ${version}, ${where}`;
  const expected = pluginVersion ?? packageVersion();
  if (version === expected) return { id, status: "ok", message };
  const other = pluginVersion === undefined ? "this command" : "the plugin agentgraph";
  const remedy = `Install version ${expected} of the SDK, or version ${version} of ${other}: both must be the same.`;
  return { id, status: "fix", message: `${message}, but ${other} has version ${expected}`, remedy };
}
