/** `npm run docs` builds a website that contains every page and works without a network. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { checkAccessibility, describeInBrowser, screenshot } from "../../support/run/browser";
import { ROOT } from "../support/markdown";

jest.setTimeout(240_000);

const REPOSITORY = "https://git.example.com/acme/pulumi-agentgraph";
const BASE = "/pulumi-agentgraph/";
const ID = "cb3f18f1-8c05-4e34-9bcf-25debc8faf52";
const folder = mkdtempSync(join(tmpdir(), "agentgraph-website-"));

/** What a test uses of an image in the browser. */
interface BrowserImage {
  currentSrc: string;
  decode(): Promise<void>;
}

let server: ChildProcess;
let output = "";
let url = "";

const read = (page: string) => readFileSync(join(folder, page), "utf8");
/** Whether a file contains a text. A failure does not print the file. */
const found = (file: string, text: RegExp) => text.test(read(file));
const pages = () => globSync("**/*.html", { cwd: folder }).filter((page) => !["404.html", "index.html"].includes(page));

beforeAll(async () => {
  server = spawn(process.execPath, ["scripts/run.mjs", "docs", "--serve", "--port", "0", "--out", folder], {
    cwd: ROOT,
    env: {
      ...process.env,
      GITHUB_SERVER_URL: "https://git.example.com",
      GITHUB_REPOSITORY: "acme/pulumi-agentgraph",
      DOCS_BASE: BASE,
    },
  });
  await new Promise<void>((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      output += chunk;
      if (/^The website is in .*\n[\s\S]*http:\S+\n/m.test(output)) resolve();
    };
    server.stdout?.on("data", collect);
    server.stderr?.on("data", collect);
    server.once("exit", () => reject(new Error(output)));
  });
  [url = ""] = /http:\S+/.exec(output) ?? [];
});

afterAll(() => {
  server.kill();
  rmSync(folder, { recursive: true });
});

test("`npm run docs -- --serve` prints where the website is, and its address", async () => {
  expect(output).toMatch(/^The website is in \S+, after [\d .a-z]+\.$/m);
  const [start, ...others] = await Promise.all(
    ["", "missing.html", "..%2f..%2fpackage.json"].map(async (path) => fetch(`${url}${path}`)),
  );
  expect(start?.headers.get("content-type")).toMatch(/^text\/html\b/);
  expect([start, ...others].map((response) => response?.status)).toEqual([200, 404, 404]);
});

test("every page has a link to the source that it is made of", () => {
  const sources = pages().map((page) => {
    const [, path] = new RegExp(`href="${REPOSITORY}/(?:edit|tree)/main/([^"]+)"`).exec(read(page)) ?? [];
    return { page, exists: path !== undefined && existsSync(join(ROOT, path)) };
  });
  expect(sources.length).toBeGreaterThan(60);
  expect(sources.filter(({ exists }) => !exists)).toEqual([]);
});

test("the pages on resources show the descriptions, the types and the same example in each language", () => {
  const thread = "schema/Thread.html";
  expect(found(thread, /<p>A conversation on the agent server of a deployment\./)).toBe(true);
  expect(found(thread, /<code>copyFrom<\/code> \(string\): ID of a thread/)).toBe(true);
  expect(found(thread, /href="\/pulumi-agentgraph\/schema\/types\.html#threadttl"/)).toBe(true);
  const tabsOf = (page: string) => [...read(page).matchAll(/role="tab"[^>]*>([\w#]+)</g)].map(([, name]) => name);
  for (const page of [thread, "schema/getThread.html"])
    expect(tabsOf(page)).toEqual(["TypeScript", "Python", "Go", "C#", "Java", "YAML"]);
  expect(found("reference/resources.html", /A container image from a registry/)).toBe(true);
});

test("each page is also Markdown, and llms.txt lists all pages, with links that lead to them", async () => {
  const list = read("llms.txt");
  expect(list).toMatch(/^# pulumi-agentgraph\n\n> Pulumi resources for agent deployments/);
  const linksIn = (text: string) =>
    [...text.matchAll(/\]\(\/pulumi-agentgraph\/([^()\s#]+\.md)/g)].map(([, path = ""]) => path);
  const listed = linksIn(list);
  const generated = pages().map((page) => page.replace(/html$/, "md"));
  expect([...listed].sort()).toEqual(generated.sort());
  expect(listed.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  const targets = listed.flatMap((path) => linksIn(read(path)).map((target) => `${path}: ${target}`));
  expect(targets.length).toBeGreaterThan(100);
  expect(targets.filter((line) => !existsSync(join(folder, line.split(": ")[1] ?? "")))).toEqual([]);
  expect(
    found("concepts.html", /<link rel="alternate" type="text\/markdown" href="\/pulumi-agentgraph\/concepts\.md"/),
  ).toBe(true);
  const response = await fetch(`${url}concepts.md`);
  expect([response.status, (await response.text()).startsWith("# Concepts")]).toEqual([200, true]);
});

test("diagrams are drawn, and the search finds the words of pages and references", () => {
  expect(found("concepts.html", /<div class="diagram"[^>]*><svg[\s\S]*BUILD_FAILED/)).toBe(true);
  const [index = ""] = globSync("assets/chunks/@localSearchIndex*.js", { cwd: folder });
  const words = ["maxconcurrentrequests", "superseded", "resourcespecargs"];
  expect(words.filter((word) => !found(index, new RegExp(word)))).toEqual([]);
});

describeInBrowser("the website in a browser", (withPage) => {
  const PAGES = { landing: "", guide: "getting-started.html", reference: "schema/Thread.html" };
  const views = Object.entries(PAGES).flatMap(([name, path]) =>
    [360, 768, 1280, 1920].map((width) => ({ name, path, width })),
  );

  test.each(views)("$name page: it fits $width px, and axe-core finds nothing with light and dark colors", (view) =>
    withPage(
      `${url}${view.path}`,
      async (page) => {
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await screenshot(page, `website-${view.name}-${view.width}-${colorScheme}`);
          await checkAccessibility(page);
        }
      },
      { width: view.width },
    ),
  );

  const PICTURES = ["overview.html", "concepts.html", "verified-rollouts.html", "emulator.html"];
  test.each(PICTURES)("the pictures of /%s fit a phone of 360 px, in a form that is made for it", (path) =>
    withPage(
      `${url}${path}`,
      async (page) => {
        const pictures = page.locator(".picture");
        await pictures.first().waitFor({ state: "attached" });
        for (const picture of await pictures.all()) {
          await picture.scrollIntoViewIfNeeded();
          const image = picture.locator("img:visible");
          await image.evaluate((one: unknown) => (one as BrowserImage).decode());
          expect(await image.evaluate((one: unknown) => (one as BrowserImage).currentSrc)).toMatch(/-narrow\.\w+$/);
          expect(await picture.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
        }
      },
      { width: 360 },
    ),
  );

  test("pictures have the colors that a reader chooses on the website, whatever the system prefers", () =>
    withPage(`${url}emulator.html`, async (page) => {
      const brightness = async () => {
        const image = page.locator(".picture img:visible").first();
        await image.scrollIntoViewIfNeeded();
        await image.evaluate((one: unknown) => (one as BrowserImage).decode());
        return meanBrightness(page, await image.screenshot());
      };
      const choose = () => page.getByRole("switch").first().click();
      expect(await brightness()).toBeGreaterThan(200);
      await choose();
      expect(await brightness()).toBeLessThan(60);
    }));

  test("the search finds a setting and its guide comes before its reference, without a request to another host", () =>
    withPage(`${url}concepts.html`, async (page) => {
      await page.getByRole("button", { name: "Search" }).click();
      await page.locator("#localsearch-input").fill("rollbackOnFailure");
      await page.locator(".result").first().waitFor();
      const targets = await page
        .locator(".result")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
      const position = (path: string) => targets.findIndex((target) => target?.startsWith(`${BASE}${path}`));
      expect(position("deployment.html")).toBeGreaterThanOrEqual(0);
      expect(position("schema/")).toBeGreaterThan(position("deployment.html"));
      // axe-core objects to the dialog of VitePress: each option of its list contains a link, and the dialog has the
      // role of a button. Only VitePress can change that; the dialog works with the keyboard.
      await page.keyboard.press("Enter");
      await page.waitForURL(`**${targets[0]}`);
    }));

  /** Messages as a terminal shows them, and where one of the first three results leads. */
  const PASTED: [message: string, target: RegExp][] = [
    ['Deployment "support-agent": revision rollout failed with DEPLOY_FAILED after 3 s.', /errors.*revision-rollout/],
    [
      `the name "agent" is taken by deployment ${ID}, which this stack manages as acme/urn:pulumi:dev`,
      /errors.*taken-by/,
    ],
    [
      "401: Invalid key\nThe API key may be expired, revoked or issued by another server. Create a new one",
      /errors.*create-a-new/,
    ],
    [
      "rate limit reached (250 exports per workspace per rolling hour); retrying at 21:33:31 UTC",
      /exports|errors.*quota/,
    ],
    [
      `Assistant ${ID} was not deleted, because its server would also delete crons of it`,
      /errors.*was-not-deleted|assistant/,
    ],
    ["could not load plugin for agentgraph provider: no resource plugin 'agentgraph' found", /troubleshooting.*plugin/],
    [
      "secrets.KEY: is empty. If that is not on purpose, the program read a variable that is not set.",
      /secrets|trouble/,
    ],
  ];
  test.each(PASTED)("the search leads from the pasted %j to what explains it", (message, target) =>
    withPage(`${url}concepts.html`, async (page) => {
      await page.getByRole("button", { name: "Search" }).click();
      await page.locator("#localsearch-input").fill(message);
      await page.locator(".result").first().waitFor();
      const links = await page.locator(".result").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
      expect(links.slice(0, 3).join(" ")).toMatch(target);
    }),
  );

  test("the language that a reader chooses by mouse or keyboard applies to all pages", () =>
    withPage(`${url}schema/Thread.html`, async (page) => {
      const code = () => page.getByRole("tabpanel").first().textContent();
      expect(await code()).toContain("new agentgraph.Thread(");
      await page.getByRole("tab", { name: "Python" }).first().click();
      expect(await code()).toContain("agentgraph.Thread(\n");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      expect(await code()).toContain("type: agentgraph:Thread");
      await page.goto(`${url}schema/Deployment.html`);
      await page.getByRole("tab", { name: "YAML", selected: true }).first().waitFor();
    }));
});

/** Returns the mean brightness of a PNG, from 0 to 255. The browser decodes it. */
const meanBrightness = (page: Page, png: Buffer) =>
  page.evaluate<number>(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${png.toString("base64")}";
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    return data.reduce((sum, value, index) => sum + (index % 4 === 3 ? 0 : value), 0) / ((data.length / 4) * 3);
  })()`);
