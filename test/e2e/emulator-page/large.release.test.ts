import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Page } from "playwright-core";
import { startEmulator } from "../../../emulator/src/index";
import { newFolder } from "../../../emulator/test/support/folder";
import { startPlatform } from "../../support/platform";
import { describeInBrowser } from "../../support/run/browser";
import { send } from "./support/platform";

/**
 * A list that rendered every row would have tens of thousands. The time that this saves is in docs/internal/figures.md.
 */
const MAX_ELEMENTS = 2000;

async function checkElements(page: Page): Promise<void> {
  expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(MAX_ELEMENTS);
}

async function scroll(page: Page, steps: number, pixels: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await page.mouse.wheel(0, pixels);
    await page.evaluate("new Promise(requestAnimationFrame)");
  }
}

/** Adds requests to the log of an emulator that is not running. */
function addRequests(folder: string, count: number): void {
  const entry = { method: "GET", path: "/v2/deployments", query: {}, status: 200, tenant_id: null, body: null };
  const rest = {
    notes: [],
    fault: null,
    operation: "List deployments",
    client: "load/1.0",
    duration_ms: 1,
    resources: [],
  };
  const database = new DatabaseSync(join(folder, "emulator.sqlite"));
  database
    .prepare(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
      INSERT INTO request_log (at, method, path, entry)
      SELECT n, 'GET', '/v2/deployments/' || n, json_set(?, '$.path', '/v2/deployments/' || n) FROM numbers`)
    .run(count, JSON.stringify({ ...entry, ...rest }));
  database.close();
}

describeInBrowser("the emulator's page with much to show", (withPage) => {
  test("renders only the rows near the window of 1,000 deployments, 100 of which are rolled out", async () => {
    const platform = await startPlatform();
    const names = Array.from({ length: 1000 }, (_, number) => `agent-${number}`);
    const { deployments: ids = [] } = await platform.emulator.seed({ deployments: names.map((name) => ({ name })) });
    await withPage(platform.url, async (page) => {
      await page.getByText("1,000 deployments").waitFor();
      await platform.emulator.clock.resume();
      for (const [index, id] of ids.slice(0, 100).entries()) {
        await send(platform, "PATCH", `/v2/deployments/${id}`, {
          source_revision_config: { image_uri: `agent:${id}` },
        });
        if (index % 5 === 0) await scroll(page, 1, 2500);
      }
      await scroll(page, 30, 2500);
      await page.getByRole("link").filter({ hasText: "agent-999" }).waitFor();
      await checkElements(page);
      await page.evaluate("scrollTo(0, 0)");
      await page.getByRole("searchbox").pressSequentially("agent-99");
      await page.getByText("11 deployments").waitFor();
      await page.getByRole("searchbox").fill(ids[0] ?? "");
      await platform.emulator.clock.freeze();
      await platform.advance(60_000);
      await page
        .getByRole("link")
        .filter({ hasText: `agent:${ids[0]}` })
        .filter({ hasText: "DEPLOYED" })
        .waitFor();
      await checkElements(page);
    });
  });

  test("renders only the rows near the window with 100,000 requests in the log", async () => {
    const folder = newFolder();
    await (await startEmulator({ port: 0, data: folder })).stop();
    addRequests(folder, 100_000);
    const emulator = await startEmulator({ port: 0, data: folder });
    const url = emulator.urls.controlPlane;
    try {
      await withPage(`${url}/#/requests?reads=shown`, async (page) => {
        const rows = page.getByRole("list", { name: "Requests" }).getByRole("link");
        await rows.nth(5).waitFor();
        await page.getByRole("navigation", { name: "Views" }).getByText("100,000").waitFor();
        for (let count = 0; count < 10; count++) {
          await scroll(page, 5, 2500);
          await page.getByRole("button", { name: "Load older requests" }).click();
        }
        await checkElements(page);
        await page.evaluate("scrollTo(0, 0)");
        for (let count = 0; count < 200; count++) await fetch(`${url}/unknown/${count}`);
        await rows.filter({ hasText: "/unknown/199" }).waitFor();
        await page.getByLabel("Path").pressSequentially("/unknown/7");
        await rows.filter({ hasText: "/unknown/7" }).waitFor();
        await rows.nth(1).waitFor({ state: "detached" });
        await checkElements(page);
      });
    } finally {
      await emulator.stop();
    }
  });
});
