/** Generates the packages for the other languages of Pulumi from plugin/schema.json. */
import { copyFile, cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { environment } from "../setup/environment.mjs";
import { ROOT } from "../setup/paths.mjs";
import { ensurePulumi } from "../setup/pulumi.mjs";
import { run } from "../setup/run.mjs";
import { ensureLanguageHost, ensureSdkGenerator } from "../tools/go-programs.ts";
import { writeMavenFiles } from "./maven.ts";

/** The SDKs that git contains: their tools install from a repository. */
export const COMMITTED_SDKS = ["go", "python"];

interface Generation {
  language: string;
  /** The file with the package schema. */
  schema: string;
  folder: string;
  env: NodeJS.ProcessEnv;
  /** The beginning of the error message. */
  failed: string;
}

const GENERATORS: Record<string, (generation: Generation) => Promise<void>> = {
  go: withGenerator,
  java: withLanguageHost,
  python: withGenerator,
};

/** Writes the SDKs of these languages to a folder, from a package schema. Of existing files, README.md stays. */
export async function generateSdks(
  languages: readonly string[],
  { out = join(ROOT, "sdk"), schema = join(ROOT, "plugin", "schema.json") }: { out?: string; schema?: string } = {},
) {
  const env = environment([]);
  const chosen = languages.map((language) => ({ language, generate: generatorOf(language) }));
  for (const { language, generate } of chosen) {
    const folder = join(out, language);
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) {
      if (name !== "README.md") await rm(join(folder, name), { recursive: true });
    }
    await generate({ language, schema, folder, env, failed: `Generating the SDK for ${language} failed` });
    await copyFile(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  }
}

function generatorOf(language: string) {
  const generate = GENERATORS[language];
  if (generate) return generate;
  throw new Error(`There is no SDK for ${language}. The languages are ${Object.keys(GENERATORS).join(", ")}.`);
}

async function withGenerator({ language, schema, folder, env, failed }: Generation) {
  await run(await ensureSdkGenerator(env), [language, schema, folder], { failed });
}

/** Newer language hosts contain their generator, which the CLI calls. Such an SDK has no build file yet. */
async function withLanguageHost({ language, schema, folder, env, failed }: Generation) {
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
