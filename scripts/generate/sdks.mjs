/** Generates sdks/: the packages for the other languages of Pulumi, from plugin/schema.json. */
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { environment } from "../setup/environment.mjs";
import { ensureSdkGenerator } from "../setup/languages/sdk-generator.mjs";
import { ROOT } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";

const LANGUAGES = ["go", "python"];

/**
 * Writes the SDK of every language to a subfolder of `target`, from a file with the package schema. Of the existing files,
 * only README.md is kept.
 */
export async function generateSdks(target = join(ROOT, "sdks"), schema = join(ROOT, "plugin", "schema.json")) {
  const generator = await ensureSdkGenerator(environment([]));
  for (const language of LANGUAGES) {
    const folder = join(target, language);
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) {
      if (name !== "README.md") await rm(join(folder, name), { recursive: true });
    }
    const failed = `Generating the SDK for ${language} failed`;
    await run(generator, [language, schema, folder], { failed });
    await copyFile(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  }
}
