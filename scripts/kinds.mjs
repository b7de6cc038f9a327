/** Writes sdk/kinds.ts and sdk/lookups.ts from what is built: `npm run kinds`. With --print and a file, writes to standard output instead. */
import { writeFileSync } from "node:fs";
import { text as kinds } from "./kinds/kinds.mjs";
import { text as lookups } from "./kinds/lookups.mjs";

const texts = { "sdk/kinds.ts": kinds, "sdk/lookups.ts": lookups };
const [flag, asked] = process.argv.slice(2);
if (flag === "--print") process.stdout.write(texts[asked]);
else for (const [file, text] of Object.entries(texts)) writeFileSync(new URL(`../${file}`, import.meta.url), text);
