import type { Page } from "playwright-core";
import { type Platform, startPlatform } from "../../support/platform";
import { describeInBrowser } from "../../support/run/browser";
import { create, SECRET, send, update } from "./support/platform";

const rows = (page: Page) => page.getByRole("list", { name: "Requests" }).getByRole("link");
/** Waits until the log has exactly this many rows. */
async function waitForRows(page: Page, count: number): Promise<void> {
  await rows(page).nth(count).waitFor({ state: "detached" });
  await rows(page)
    .nth(count - 1)
    .waitFor();
}

/** Two deployments, an update, a list, and a request for what does not exist. */
async function sendRequests(platform: Platform): Promise<string> {
  const { id } = await create(platform, "first");
  await create(platform, "second");
  await update(platform, id, "1.1.0");
  await send(platform, "GET", "/v2/deployments");
  await platform.call("GET", "/v2/deployments/00000000-0000-4000-8000-000000000000");
  return id;
}

describeInBrowser("the request log on the emulator's page", (withPage) => {
  test("shows each request as it arrives, newest first, with a link to its deployment", async () => {
    const platform = await startPlatform();
    await withPage(`${platform.url}/#/requests`, async (page) => {
      await page.getByText("No requests match.").waitFor();
      const id = await sendRequests(platform);
      await waitForRows(page, 3);
      await page.getByLabel("Show reads (GET)").check();
      await waitForRows(page, 5);
      const texts = (await rows(page).allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
      expect(texts[0]).toMatch(/GET Retrieve a deployment \/v2\/deployments\/00000000… 404 [\d.]+ m?s/);
      expect(texts[4]).toMatch(/POST Create a deployment: first \/v2\/deployments 201 [\d.]+ m?s pulumi-agentgraph/);
      await rows(page).last().click();
      await page.getByRole("dialog").getByRole("link", { name: "first" }).click();
      await page.getByRole("heading", { name: "first" }).waitFor();
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(new URL(page.url()).hash).toBe(`#/deployments/${id}`);
    });
  });

  test("is filtered by method, status, path and resource", async () => {
    const platform = await startPlatform();
    const id = await sendRequests(platform);
    await withPage(`${platform.url}/#/requests?reads=shown`, async (page) => {
      await waitForRows(page, 5);
      const filter = page.getByRole("form", { name: "Filter" });
      const clear = async () => {
        await filter.getByRole("button", { name: "Clear filter" }).click();
        await waitForRows(page, 3);
        await filter.getByLabel("Show reads (GET)").check();
        await waitForRows(page, 5);
      };
      await filter.getByLabel("Method").selectOption("POST");
      await waitForRows(page, 2);
      await filter.getByLabel("Status").selectOption("Rejected");
      await page.getByText("No requests match.").waitFor();
      await clear();
      await filter.getByLabel("Status").selectOption("Rejected");
      await rows(page).filter({ hasText: "404" }).waitFor();
      await waitForRows(page, 1);
      await clear();
      await filter.getByLabel("Path").fill("/v2/deployments/*");
      await waitForRows(page, 2);
      await clear();
      await filter.getByLabel("Resource ID").fill(id);
      await waitForRows(page, 2);
      expect(await rows(page).filter({ hasText: "Create a deployment" }).count()).toBe(1);
    });
  });

  test("is searched when the reader stops typing, and not for every letter", async () => {
    const platform = await startPlatform();
    await sendRequests(platform);
    await withPage(`${platform.url}/#/requests`, async (page) => {
      await waitForRows(page, 3);
      const searches: string[] = [];
      page.on("request", (request) => searches.push(request.url()));
      const pattern = "/v2/deployments/*";
      await page.getByLabel("Path").pressSequentially(pattern, { delay: 40 });
      await waitForRows(page, 1);
      // One search, or a few on a machine so busy that it pauses while it types.
      expect(searches.length).toBeLessThan(pattern.length / 2);
    });
  });

  test("shows secret values only after a click, and does not have them in the document before", async () => {
    const platform = await startPlatform();
    await create(platform, "support-agent");
    const responses: string[] = [];
    await withPage(`${platform.url}/#/requests`, async (page) => {
      page.on("response", async (response) => {
        if (response.url().includes("/request-log")) responses.push(await response.text());
      });
      await rows(page).first().click();
      const dialog = page.getByRole("dialog", { name: "Request 1" });
      await dialog.getByText('"value": "**********"').first().waitFor();
      await dialog.getByText('"image_uri": "registry.example.com/team/support-agent:1.0.0"').first().waitFor();
      const content = (await page.content()) + responses.join("");
      expect(content).toContain("MODEL_API_KEY");
      expect(content).not.toContain(SECRET);
      const toggle = dialog.getByRole("button", { name: "Show secret values" });
      await toggle.click();
      await dialog.getByText(`"value": "${SECRET}"`).first().waitFor();
      await toggle.click();
      await dialog.getByText('"value": "**********"').first().waitFor();
      expect(await page.content()).not.toContain(SECRET);
    });
  });

  test("of one resource is shown with it, at first without reads, and a closed request returns to it", async () => {
    const platform = await startPlatform();
    const id = await sendRequests(platform);
    await send(platform, "GET", `/v2/deployments/${id}`);
    await withPage(`${platform.url}/#/deployments/${id}/requests`, async (page) => {
      const list = page.getByRole("list", { name: "Requests about this resource" }).getByRole("link");
      await list.nth(1).waitFor();
      expect(await list.count()).toBe(2);
      await page.getByLabel("Show reads (GET)").check();
      await list.filter({ hasText: "Retrieve a deployment" }).waitFor();
      await list.filter({ hasText: "PATCH" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Update a deployment").waitFor();
      await dialog.getByRole("button", { name: "Close" }).click();
      await page.getByRole("heading", { name: "first" }).waitFor();
      expect(new URL(page.url()).hash).toBe(`#/deployments/${id}/requests`);
    });
  });

  test("has one row for the polls of a rollout, and survives a reload with its filter", async () => {
    const platform = await startPlatform();
    const { id } = await create(platform, "first");
    const { id: second } = await create(platform, "second");
    for (let poll = 0; poll < 7; poll++)
      for (const polled of [id, second]) await send(platform, "GET", `/v2/deployments/${polled}`);
    await withPage(`${platform.url}/#/requests`, async (page) => {
      await page.getByLabel("Show reads (GET)").check();
      await waitForRows(page, 4);
      expect(await rows(page).filter({ hasText: "× 7" }).count()).toBe(2);
      await page.getByLabel("Path").fill(`/v2/deployments/${id}`);
      await waitForRows(page, 1);
      await page.reload();
      await waitForRows(page, 1);
      expect(await page.getByLabel("Path").inputValue()).toBe(`/v2/deployments/${id}`);
    });
  });

  test("does not move what is being read: newer requests wait for a click", async () => {
    const platform = await startPlatform();
    for (let count = 0; count < 60; count++) await create(platform, `agent-${count}`);
    await withPage(`${platform.url}/#/requests`, async (page) => {
      await rows(page).first().waitFor();
      // The page learns of the scrolling in the next frame.
      await page.evaluate("scrollTo(0, 1500); new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
      await create(platform, "newer");
      const button = page.getByRole("button", { name: "Show 1 newer request" });
      await button.waitFor();
      await button.click();
      await rows(page).first().filter({ hasText: "Create a deployment" }).waitFor();
    });
  });
});
