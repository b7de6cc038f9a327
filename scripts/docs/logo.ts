/** docs/logo.png: docs/logo.svg in the size that the Pulumi Registry shows, drawn in a browser. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ROOT } from "../setup/paths.mjs";
import { ensureChromium } from "../tools/chromium.ts";

const SOURCE = join(ROOT, "docs", "logo.svg");
const IMAGE = join(ROOT, "docs", "logo.png");
/** The hash of the source that was drawn. */
const DRAWN = join(ROOT, "scripts", "docs", "captures", "logo-source.txt");
const SIZE = 100;

/** Draws the logo, with what is transparent in its source. */
export async function drawLogo(env: NodeJS.ProcessEnv) {
  const browser = await chromium.launch({ executablePath: await ensureChromium(env) });
  try {
    const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${await readFile(SOURCE, "utf8")}`);
    await page.screenshot({ path: IMAGE, omitBackground: true });
  } finally {
    await browser.close();
  }
  await writeFile(DRAWN, `${await hashSource()}\n`);
}

/** Whether docs/logo.svg has changed since docs/logo.png was drawn. */
export async function isLogoStale() {
  return (await readFile(DRAWN, "utf8").catch(() => "")).trim() !== (await hashSource());
}

async function hashSource() {
  return createHash("sha256")
    .update(await readFile(SOURCE))
    .digest("hex")
    .slice(0, 16);
}
