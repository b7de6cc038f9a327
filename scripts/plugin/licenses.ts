/** The licenses of the packages in the bundle, which require that copies contain their text. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";

/** @param packages Folders of packages, relative to the checkout. */
export async function licensesOf(packages: string[], program = "plugin") {
  const texts = await Promise.all(packages.map(licenseOf));
  return [`The ${program} contains these packages.`, ...texts].join(`\n\n${"-".repeat(80)}\n\n`);
}

async function licenseOf(folder: string) {
  const home = join(ROOT, folder);
  const { name, version, license } = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
  const file = (await readdir(home)).find((name) => /^licen[cs]e/i.test(name));
  const text = file ? await readFile(join(home, file), "utf8") : "";
  return `${name} ${version} (${license})\n\n${text.trim()}`.trim();
}
