/** `node scripts/tool.mjs NAME`: installs a tool that `npm run up` does not need. The last line of the output is its path. */
import { join } from "node:path";
import { ensureChromium } from "./chromium.mjs";
import { environment } from "./environment.mjs";
import { ensureLanguageHost } from "./languages/hosts.mjs";
import { ensureMaven } from "./languages/maven.mjs";
import { ensurePython } from "./languages/python.mjs";
import { ensureSdkGenerator } from "./languages/sdk-generator.mjs";
import { Problem } from "./problem.mjs";
import { ensureNewestNode, ensureOldestNode, ensureOldestSdk } from "./supported-versions.mjs";
import { ensureVersitygw } from "./versitygw.mjs";

const host = (language) => async (env) => join(await ensureLanguageHost(language, env), `pulumi-language-${language}`);

const TOOLS = {
  chromium: ensureChromium,
  maven: ensureMaven,
  "node-newest": ensureNewestNode,
  "node-oldest": ensureOldestNode,
  "pulumi-language-java": host("java"),
  "pulumi-language-python": host("python"),
  "pulumi-language-yaml": host("yaml"),
  "pulumi-sdk-oldest": ensureOldestSdk,
  python: ensurePython,
  "sdk-generator": ensureSdkGenerator,
  versitygw: ensureVersitygw,
};

export async function main() {
  const name = process.argv[2];
  if (!Object.hasOwn(TOOLS, name))
    throw new Problem(`Usage: node scripts/tool.mjs <${Object.keys(TOOLS).join(" | ")}>`);
  console.log(await TOOLS[name](environment([])));
}
