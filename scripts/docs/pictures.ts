/**
 * Makes the pictures of the README from what the real programs print, and from what the emulator's page shows:
 *
 *     node scripts/docs/pictures.ts            runs Pulumi against the emulator, and draws what it prints
 *     node scripts/docs/pictures.ts --check    exits with 1 if the page has changed since its picture was taken
 *
 * A picture is replaced only when more than IDs, durations and addresses changed.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ready } from "../setup/index.mjs";
import { ROOT } from "../setup/paths.mjs";
import { capturePreview, captureRollout, captureVerify } from "./capture.ts";
import { isPictureStale } from "./page-picture.ts";
import { compact, masked } from "./printed.ts";
import { terminalSvg } from "./svg.ts";

const TERMINALS = [
  { name: "rollout", capture: captureRollout, label: "pulumi up: a rollout that succeeds, and one that fails" },
  {
    name: "verify",
    capture: captureVerify,
    label:
      "pulumi up: a revision that passes its checks, and one that fails them and is replaced with the last good one",
  },
];
/** The longest line of a terminal: for a page, and on a phone. */
const COLUMNS = { "": Number.POSITIVE_INFINITY, "-narrow": 48 };

async function main() {
  const tools = await ready();
  await keep("scripts/docs/captures/preview.json", compact(await capturePreview(tools)));
  for (const { name, capture, label } of TERMINALS) {
    const output = await capture(tools);
    for (const [form, columns] of Object.entries(COLUMNS))
      await keep(`docs/images/${name}${form}.svg`, terminalSvg(label, output, columns));
  }
}

/** Writes a file, unless only what varies differs. */
async function keep(name: string, text: string) {
  const file = join(ROOT, name);
  const shown = (content: string) => masked(content.replaceAll(/<[^>]*>/g, ""));
  if (shown(await readFile(file, "utf8").catch(() => "")) !== shown(text)) await writeFile(file, text);
}

if (process.argv[2] !== "--check") await main();
else if (await isPictureStale()) {
  console.log("docs/images/emulator.png is stale: run node scripts/docs/pictures.ts");
  process.exitCode = 1;
}
