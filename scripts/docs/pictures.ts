/**
 * Makes the pictures of the README from what the real programs print, and from what the emulator's page shows:
 *
 *     node scripts/docs/pictures.ts            runs Pulumi against the emulator, saves what it printed, and draws it
 *     node scripts/docs/pictures.ts --draw     draws what was saved before, without the page
 *     node scripts/docs/pictures.ts --check    draws nothing, and exits with 1 if a picture is stale
 *
 * What was printed is kept in captures/. It is replaced only when more than IDs, durations and addresses changed.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ready } from "../setup/index.mjs";
import { ROOT } from "../setup/paths.mjs";
import { capturePreview, captureRollout, captureVerify } from "./capture.ts";
import { isPictureStale } from "./page-picture.ts";
import { compact, masked } from "./printed.ts";
import { terminalSvg } from "./svg.ts";

const CAPTURES = join(ROOT, "scripts", "docs", "captures");
const IMAGES = join(ROOT, "docs", "images");
const PREVIEW = join(CAPTURES, "preview.json");
const ROLLOUT = join(CAPTURES, "rollout.txt");
const VERIFY = join(CAPTURES, "verify.txt");

/** Saves what was printed, unless only what varies differs. */
async function keep(file: string, text: string) {
  const saved = await readFile(file, "utf8").catch(() => "");
  if (masked(saved) !== masked(text)) await writeFile(file, text);
}

/** The longest line of a terminal on a phone. */
const NARROW_COLUMNS = 48;

const LABELS = {
  rollout: "pulumi up: a rollout that succeeds, and one that fails",
  verify:
    "pulumi up: a revision that passes its checks, and one that fails them and is replaced with the last good one",
};

/** Draws each picture in two forms: for a page, and for a phone. */
async function draw(): Promise<Record<string, string>> {
  const [rollout, verify] = await Promise.all([ROLLOUT, VERIFY].map((file) => readFile(file, "utf8")));
  return {
    "rollout.svg": terminalSvg(LABELS.rollout, rollout ?? ""),
    "rollout-narrow.svg": terminalSvg(LABELS.rollout, rollout ?? "", NARROW_COLUMNS),
    "verify.svg": terminalSvg(LABELS.verify, verify ?? ""),
    "verify-narrow.svg": terminalSvg(LABELS.verify, verify ?? "", NARROW_COLUMNS),
  };
}

async function main(mode: string | undefined) {
  const isCheck = mode === "--check";
  if (mode === undefined) {
    const tools = await ready();
    await mkdir(CAPTURES, { recursive: true });
    await keep(PREVIEW, compact(await capturePreview(tools)));
    await keep(ROLLOUT, await captureRollout(tools));
    await keep(VERIFY, await captureVerify(tools));
  }
  if (isCheck && (await isPictureStale())) report("images/emulator.png is stale: run node scripts/docs/pictures.ts");
  const pictures = await draw();
  for (const [name, text] of Object.entries(pictures)) {
    const saved = await readFile(join(IMAGES, name), "utf8").catch(() => "");
    if (saved === text) continue;
    if (isCheck) report(`images/${name} is stale: run node scripts/docs/pictures.ts --draw`);
    else await writeFile(join(IMAGES, name), text);
  }
}

function report(problem: string) {
  console.log(`docs/${problem}`);
  process.exitCode = 1;
}

await main(process.argv[2]);
