/** `node scripts/release/checksums.mjs FOLDER`: writes SHA256SUMS about all files in a folder, for `sha256sum --check`. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

const [folder] = process.argv.slice(2);
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !["SHA256SUMS", "NOTES.md"].includes(entry.name))
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
  .sort();
const line = (file) =>
  `${createHash("sha256")
    .update(readFileSync(join(folder, file)))
    .digest("hex")}  ${file}\n`;
writeFileSync(join(folder, "SHA256SUMS"), files.map(line).join(""));
