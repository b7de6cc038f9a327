/** Pages in a real browser. A test fails if its page reports a problem, even if the test does not look for it. */
import { join } from "node:path";
import axe, { type AxeResults } from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { describeWithTools } from "../tools";

export interface PageOptions {
  /** Width of the window in CSS pixels (default: 1280). */
  width?: number;
  /** The color scheme that the user prefers (default: light). */
  colorScheme?: "light" | "dark";
  /** Problems that the test causes on purpose. */
  expectedProblems?: RegExp;
}

/** Opens a URL in a new context, uses the page, and throws if it reported a problem. */
export type WithPage = (url: string, use: (page: Page) => Promise<void>, options?: PageOptions) => Promise<void>;

const HEIGHT = 800;
/** How long a page may take to show what a test waits for, on a busy machine. */
const TIMEOUT_MS = 20_000;
/** How long a test may take: it opens many pages, and a busy machine needs a multiple of the time. */
const TEST_TIMEOUT_MS = 240_000;

/** Describes tests in a browser, which starts once for all of them. Skips them where there is none, except in CI. */
export function describeInBrowser(title: string, tests: (withPage: WithPage) => void): void {
  jest.setTimeout(TEST_TIMEOUT_MS);
  describeWithTools(title, ["chromium"], (paths) => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: paths.chromium });
    });
    afterAll(() => browser?.close());
    tests((url, use, options) => visit(browser, url, use, options));
  });
}

async function visit(
  browser: Browser,
  url: string,
  use: (page: Page) => Promise<void>,
  { width = 1280, colorScheme = "light", expectedProblems }: PageOptions = {},
): Promise<void> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: HEIGHT } });
  try {
    const problems = collectProblems(context, new URL(url).origin);
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    await page.goto(url);
    const [outcome] = await Promise.allSettled([use(page)]);
    const cause = outcome.status === "rejected" ? outcome.reason : undefined;
    // Problems of the last action arrive before the result of a later task.
    await page.evaluate("new Promise((done) => setTimeout(done))");
    const unexpected = problems.filter((problem) => !expectedProblems?.test(problem));
    if (unexpected.length > 0) throw new Error(`The page reported problems:\n${unexpected.join("\n")}`, { cause });
    if (outcome.status === "rejected") throw cause;
  } finally {
    await context.close();
  }
}

/**
 * Returns a list that grows: errors in the console, which include violations of the CSP, exceptions, dialogs, foreign
 * requests.
 */
function collectProblems(context: BrowserContext, origin: string): string[] {
  const problems: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => problems.push(`exception: ${error.error().stack}`));
  context.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("request", (request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (protocol.startsWith("http") && target !== origin) problems.push(`foreign request: ${request.url()}`);
  });
  return problems;
}

/** @throws Error that lists the violations that axe-core finds on the page in its present state. */
export async function checkAccessibility(page: Page): Promise<void> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  const lines = violations.flatMap(({ id, help, helpUrl, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help}\n  ${target.join(" ")}: ${html.slice(0, 200)}\n  ${helpUrl}`),
  );
  if (lines.length > 0) throw new Error(`axe-core found violations:\n${lines.join("\n")}`);
}

/** Saves a picture of the page as `<name>.png` in the folder that SCREENSHOTS names; does nothing without it. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
