/** `node scripts/run.mjs tool NAME`: installs an optional tool. The last line of the output is its path. */
import { join } from "node:path";
import { ensureServer } from "../record/servers.ts";
import { environment } from "../setup/environment.mjs";
import { Problem } from "../setup/problem.mjs";
import { ensureChromium } from "./chromium.ts";
import {
  ensureLanguageHost,
  ensureNewestCli,
  ensureSdkGenerator,
  ensureStandIn,
  ensureVersitygw,
} from "./go-programs.ts";
import { ensureMaven } from "./maven.ts";
import { ensureProviders } from "./npm-packages.ts";
import { ensureOldestPythonSdk, ensurePython, ensureRegistryTools } from "./python.ts";
import {
  ensureArm64Node,
  ensureNewestNode,
  ensureNewestSdk,
  ensureOldestNode,
  ensureOldestSdk,
} from "./supported-versions.ts";

const host = (language: string) => async (env: NodeJS.ProcessEnv) =>
  join(await ensureLanguageHost(language, env), `pulumi-language-${language}`);

const TOOLS: Record<string, (env: NodeJS.ProcessEnv) => Promise<string>> = {
  chromium: ensureChromium,
  "langgraph-cli": async (env) => join(await ensureServer("python", undefined, env), "bin", "python"),
  maven: ensureMaven,
  "node-arm64": ensureArm64Node,
  "node-newest": ensureNewestNode,
  "node-oldest": ensureOldestNode,
  "pulumi-language-go": host("go"),
  "pulumi-language-java": host("java"),
  "pulumi-language-python": host("python"),
  "pulumi-language-yaml": host("yaml"),
  "pulumi-newest": ensureNewestCli,
  "pulumi-sdk-newest": ensureNewestSdk,
  "pulumi-sdk-oldest": ensureOldestSdk,
  "pulumi-sdk-python-oldest": ensureOldestPythonSdk,
  providers: ensureProviders,
  python: ensurePython,
  registry: ensureRegistryTools,
  "sdk-generator": ensureSdkGenerator,
  "stand-in": ensureStandIn,
  versitygw: ensureVersitygw,
};

export async function main() {
  const [name = ""] = process.argv.slice(3);
  const ensureTool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (!ensureTool) throw new Problem(`Usage: node scripts/run.mjs tool <${Object.keys(TOOLS).join(" | ")}>`);
  console.log(await ensureTool(environment([])));
}
