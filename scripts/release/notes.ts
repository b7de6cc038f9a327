/** `node scripts/release/notes.ts v1.2.3`: prints the section of CHANGELOG.md about a version. */
import { readFileSync } from "node:fs";

const [tag = ""] = process.argv.slice(2);
const sections = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8").split(/^## /m);
const section = sections.find((text) => [tag.slice(1), `[${tag.slice(1)}]`].includes(text.split(/\s/, 1).join()));

if (section === undefined) {
  console.error(`CHANGELOG.md has no section "## ${tag.slice(1)}". Rename "Unreleased" before you push the tag.`);
  process.exitCode = 1;
} else {
  console.log(section.slice(section.indexOf("\n")).trim());
}
