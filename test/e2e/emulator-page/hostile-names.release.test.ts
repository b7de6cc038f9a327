import type { Page } from "playwright-core";
import { startPlatform } from "../../support/platform";
import { describeInBrowser } from "../../support/run/browser";
import { converse, ROLLOUT_MS, send } from "./support/platform";

/** What each text must look like: markup as it is, and characters without a shape as codes. */
const TEXTS: Record<string, [text: string, shown?: string]> = {
  script: ["<script>alert('executed')</script>"],
  "an image": ['<img src=x onerror="alert(1)">'],
  "a closing tag": ["</bdi></a></li></main><h1>Forged</h1>"],
  "an attribute": ['" onmouseover="alert(1)" autofocus onfocus="alert(1)'],
  "a template": ["{{alert(1)}} &lt;b&gt; %3Cscript%3E"],
  "a link": ["javascript:alert(1)"],
  "a text from right to left": ["user\u202egnp.exe\u2066x", "user\\u202egnp.exe\\u2066x"],
  "control characters": ["a\u0000b\u001b[2J\u0007c\u200bd", "a\\u0000b\\u001b[2J\\u0007c\\u200bd"],
  emoji: ["👩‍👩‍👧‍👦 e\u0301 日本語", "👩‍👩‍👧‍👦 e\u0301 日本語"],
  "10,000 characters": ["long".repeat(2500)],
};

/** Nothing of a text became an element, and no view is wider than the window. */
async function checkDocument(page: Page): Promise<void> {
  expect(await page.getByRole("heading", { name: "Forged", exact: true }).count()).toBe(0);
  expect(await page.evaluate("document.images.length + document.scripts.length")).toBe(1);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
}

describeInBrowser("a hostile text on the emulator's page", (withPage) => {
  test.each(Object.keys(TEXTS))("is shown as text in every view: %s", async (kind) => {
    const [text, shown = text] = TEXTS[kind] ?? [""];
    const platform = await startPlatform();
    const { deployments: [id = ""] = [] } = await platform.emulator.seed({
      deployments: [{ name: text, source_revision_config: { image_uri: text }, secrets: [{ name: text, value: "x" }] }],
    });
    await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED", logs: [text] } });
    await send(platform, "PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: `${text}:2` } });
    await platform.advance(ROLLOUT_MS);
    const thread = await converse(platform, id, text);
    await send(platform, "PATCH", `/agents/${id}/threads/${thread}`, { metadata: { note: text } });
    await platform.emulator.faults.add({ revision: { deployment: text, ends: "DEPLOY_FAILED" } });
    const client = /^[ -~]{1,100}$/.test(text) ? text : "any";
    await platform.call("GET", "/v2/deployments", undefined, { "x-api-key": "any", "user-agent": client });
    const [change, read] = platform.emulator.requestLog.entries().slice(-2);
    await withPage(
      platform.url,
      async (page) => {
        const see = async (path: string, matches: number, part = shown) => {
          await page.goto(`${platform.url}/#/${path}`);
          await page
            .getByText(part)
            .filter({ visible: true })
            .nth(matches - 1)
            .waitFor();
          await checkDocument(page);
        };
        await see("deployments", 1);
        await see(`deployments/${id}`, 4);
        await see("threads", 1);
        await see(`threads/${id}/${thread}`, 3);
        await see("requests", 1);
        await see(`requests/${change?.id}`, 1, `"note": "${shown.replaceAll('"', '\\"')}"`);
        await see(`requests/${read?.id}`, 1, client);
        await see("controls", 1);
      },
      { width: 375 },
    );
  });
});
