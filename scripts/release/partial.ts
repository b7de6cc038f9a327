/** A release for one language, and one platform: what one user needs, without the executables for all others. */
import { packEmulators } from "../plugin/emulator.ts";
import { PLATFORMS, packPlugin } from "../plugin/release.ts";
import { Problem } from "../setup/problem.mjs";
import { step } from "../setup/step.mjs";
import { packPackages, packWheel } from "./packages.ts";

interface Language {
  /** The sections of INSTALL.md. */
  sections: readonly string[];
  /** Whether the npm package, the wheel and the plugin are part of it. */
  npm?: true;
  wheel?: true;
  plugin?: true;
}

const OTHER: Language = { sections: ["Other languages", "The plugin", "The emulator"], plugin: true };

export const LANGUAGES: Readonly<Record<string, Language>> = {
  typescript: { sections: ["TypeScript", "The emulator"], npm: true },
  python: { sections: ["Python", "The plugin", "The emulator"], wheel: true, plugin: true },
  yaml: OTHER,
  go: OTHER,
  java: OTHER,
  dotnet: OTHER,
};

/** The platform of this machine, by the name that the Pulumi CLI gives it. */
const OWN = `${process.platform.replace("win32", "windows")}-${process.arch.replace("x64", "amd64")}`;

/** Returns what an option names. @throws Problem if it names nothing. */
export function chosen({ language, platform = OWN }: { language: string; platform?: string | undefined }) {
  const found = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (!found) throw new Problem(`--for ${language}: write one of ${Object.keys(LANGUAGES).join(", ")}.`);
  if (!PLATFORMS.includes(platform)) throw new Problem(`--platform ${platform}: write one of ${PLATFORMS.join(", ")}.`);
  return { ...found, platform };
}

/** Writes the files of one language. */
export async function packFor(
  { npm, wheel, plugin, platform }: ReturnType<typeof chosen>,
  { folder, version, env }: { folder: string; version: string; env: NodeJS.ProcessEnv },
) {
  await step("Release", "packing the npm packages", () => packPackages(folder, env, npm === true));
  if (wheel) await step("Release", "packing the Python SDK", () => packWheel(folder, env));
  if (plugin) await step("Release", `packing the plugin for ${platform}`, () => packPlugin(folder, version, platform));
  await step("Release", `packing the emulator for ${platform}`, () => packEmulators(folder, version, [platform]));
}

/** Returns the instructions with these sections alone, without the rows of tables about files that do not exist. */
export function instructionsFor(
  { sections, platform }: ReturnType<typeof chosen>,
  text: string,
  files: readonly string[],
): string {
  const isAbsent = (row: string) => !files.includes(/<release>\/([^\s`]+)/.exec(row)?.[1] ?? "");
  const [head = "", ...all] = text.split(/^(?=## )/m);
  const own = all.filter((section) => sections.includes(section.slice("## ".length).split("\n", 1).join()));
  const others = /\. On other systems, replace[\s\S]*?`windows-arm64`:/;
  return [head.replace("a complete release", "a release for one language and platform"), ...own]
    .join("")
    .replace(others, ":")
    .replace(" for your system, with the names above,", "")
    .replaceAll("linux-amd64", platform)
    .replaceAll(/^\|.*<release>.*\n/gm, (row) => (isAbsent(row) ? "" : row));
}
