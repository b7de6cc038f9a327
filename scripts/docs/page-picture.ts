/** The picture of the emulator's page: taken in a browser, and stale once the sources of the page change. */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { ROOT } from "../setup/paths.mjs";
import { ensureChromium } from "../tools/chromium.ts";

const PAGE = join(ROOT, "emulator", "page");
const IMAGES = join(ROOT, "docs", "images");

interface Form {
  suffix: string;
  colorScheme: "light" | "dark";
  /** Pixels. */
  width: number;
}

/** For pages and for phones, in light and dark. */
const FORMS: Form[] = [
  { suffix: "", colorScheme: "light", width: 1280 },
  { suffix: "-dark", colorScheme: "dark", width: 1280 },
  { suffix: "-narrow", colorScheme: "light", width: 400 },
  { suffix: "-narrow-dark", colorScheme: "dark", width: 400 },
];
/** The hash of the sources from which the page in the picture was built. */
const SOURCES = join(ROOT, "scripts", "docs", "captures", "page-sources.txt");

/** Saves what the page of the emulator at `url` shows about its only deployment, whose last rollout failed. */
export async function takePicture(url: string, env: NodeJS.ProcessEnv) {
  const response = await fetch(`${url}/v2/deployments`, { headers: { "x-api-key": "any-key" } });
  const { resources } = (await response.json()) as { resources: { id: string }[] };
  const address = `${url}/#/deployments/${resources[0]?.id}`;
  const browser = await chromium.launch({ executablePath: await ensureChromium(env) });
  try {
    for (const form of FORMS) await takeForm(browser, address, form);
  } finally {
    await browser.close();
  }
  await writeFile(SOURCES, `${await hashSources()}\n`);
}

async function takeForm(browser: Browser, address: string, { suffix, colorScheme, width }: Form) {
  const viewport = { width, height: 900 };
  const page = await browser.newPage({ viewport, colorScheme, locale: "en-US", timezoneId: "UTC" });
  await page.goto(address);
  await page.getByText("The last rollout failed").waitFor();
  // It ends before the first revision: a longer one would be slow to load.
  const live = page.getByRole("listitem").filter({ hasText: "Live: receives requests" });
  const { y = 0 } = (await live.boundingBox()) ?? {};
  const path = join(IMAGES, `emulator${suffix}.png`);
  await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height: y - 4 } });
  await page.close();
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
