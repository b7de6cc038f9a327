/** The picture of the emulator's page: taken in a browser, and stale once the sources of the page change. */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ROOT } from "../setup/paths.mjs";
import { ensureChromium } from "../tools/chromium.ts";

const PAGE = join(ROOT, "emulator", "page");
const IMAGE = join(ROOT, "docs", "images", "emulator.png");
const WIDTH = 1280;
/** The hash of the sources from which the page in the picture was built. */
const SOURCES = join(ROOT, "scripts", "docs", "captures", "page-sources.txt");

/** Saves what the page of the emulator at `url` shows about its only deployment, whose last rollout failed. */
export async function takePicture(url: string, env: NodeJS.ProcessEnv) {
  const response = await fetch(`${url}/v2/deployments`, { headers: { "x-api-key": "any-key" } });
  const { resources } = (await response.json()) as { resources: { id: string }[] };
  const browser = await chromium.launch({ executablePath: await ensureChromium(env) });
  try {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 900 }, locale: "en-US", timezoneId: "UTC" });
    await page.goto(`${url}/#/deployments/${resources[0]?.id}`);
    await page.getByText("The last rollout failed").waitFor();
    const live = page.getByRole("listitem").filter({ hasText: "Live: receives requests" });
    const { y = 0 } = (await live.boundingBox()) ?? {};
    await page.screenshot({ path: IMAGE, fullPage: true, clip: { x: 0, y: 0, width: WIDTH, height: y - 4 } });
  } finally {
    await browser.close();
  }
  await writeFile(SOURCES, `${await hashSources()}\n`);
}

/** Whether the page may look different from its picture. */
export async function isPictureStale() {
  return (await readFile(SOURCES, "utf8").catch(() => "")).trim() !== (await hashSources());
}

async function hashSources() {
  const hash = createHash("sha256");
  for (const name of (await readdir(PAGE, { recursive: true })).sort()) {
    if (/\.(tsx?|css|html)$/.test(name)) hash.update(`${name}\n${await readFile(join(PAGE, name), "utf8")}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}
