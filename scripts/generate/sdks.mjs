/** Generates sdk/go and sdks/: the packages for the other languages of Pulumi, from plugin/schema.json. */
import { copyFile, cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { environment } from "../setup/environment.mjs";
import { ensureLanguageHost } from "../setup/languages/hosts.mjs";
import { ensureSdkGenerator } from "../setup/languages/sdk-generator.mjs";
import { ROOT } from "../setup/paths.mjs";
import { ensurePulumi } from "../setup/pulumi.mjs";
import { run } from "../setup/run.mjs";
import { writeMavenFiles } from "./maven.mjs";

const LANGUAGES = { go: withGenerator, java: withLanguageHost, python: withGenerator };

/** The Go module is where its import path says. */
const folderOf = (language) => join(ROOT, language === "go" ? "sdk" : "sdks", language);

/**
 * Writes the SDK of every language to its folder, or to a subfolder of `target`, from a file with the package schema. Of the existing files,
 * only README.md is kept.
 */
export async function generateSdks(target = undefined, schema = join(ROOT, "plugin", "schema.json")) {
  const env = environment([]);
  for (const [language, write] of Object.entries(LANGUAGES)) {
    const folder = target ? join(target, language) : folderOf(language);
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) {
      if (name !== "README.md") await rm(join(folder, name), { recursive: true });
    }
    await write({ language, schema, folder, env, failed: `Generating the SDK for ${language} failed` });
    await copyFile(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  }
}

async function withGenerator({ language, schema, folder, env, failed }) {
  await run(await ensureSdkGenerator(env), [language, schema, folder], { failed });
}

/** Newer language hosts contain their generator, which the CLI calls. Such an SDK has no build file yet. */
async function withLanguageHost({ language, schema, folder, env, failed }) {
  const PATH = [await ensureLanguageHost(language, env), env.PATH].join(delimiter);
  const draft = await mkdtemp(join(tmpdir(), "agentgraph-sdk-"));
  try {
    const args = ["package", "gen-sdk", schema, "--language", language, "--out", draft];
    await run(await ensurePulumi(env), args, { env: { ...env, PATH, PULUMI_HOME: join(draft, "home") }, failed });
    const generated = join(draft, language);
    await rm(join(generated, "README.md"));
    await cp(generated, folder, { recursive: true });
  } finally {
    await rm(draft, { recursive: true });
  }
  await writeMavenFiles(folder, schema);
}
