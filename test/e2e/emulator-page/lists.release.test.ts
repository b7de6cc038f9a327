import type { Page } from "playwright-core";
import { type Platform, startPlatform } from "../../support/platform";
import { describeInBrowser } from "../../support/run/browser";
import { create, ROLLOUT_MS, update, updateInVain } from "./support/platform";

const rows = (page: Page) => page.getByRole("list", { name: "Deployments" }).getByRole("link");
const namesOf = async (page: Page) => (await rows(page).allInnerTexts()).map((text) => text.split("\n")[0]);

const marker = (name: string, stack: string) => ({
  secrets: [
    {
      name: "PULUMI_RESOURCE",
      value: `acme/urn:pulumi:${stack}::shop::pulumi-nodejs:dynamic/agentgraph:Deployment::${name}`,
    },
  ],
});

/** Creates deployments of a stack, which are live when it returns. */
async function createAll(platform: Platform, stack: string, ...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    ids.push((await create(platform, name, "1.0.0", marker(name, stack))).id);
    await platform.advance(ROLLOUT_MS);
  }
  return ids;
}

describeInBrowser("a list on the emulator's page", (withPage) => {
  test("begins with what is in progress or failed, then what changed last, with a chip for each state", async () => {
    const platform = await startPlatform();
    const [failed = "", , running = ""] = await createAll(platform, "staging", "failed", "older", "running", "newer");
    await updateInVain(platform, failed);
    await update(platform, running, "1.1.0");
    await withPage(platform.url, async (page) => {
      await rows(page).nth(3).waitFor();
      expect(await namesOf(page)).toEqual(["running", "failed", "newer", "older"]);
      await page.getByRole("button", { name: "live 2" }).click();
      await page.getByText("2 deployments", { exact: true }).waitFor();
      await page.reload();
      await page.getByText("2 deployments", { exact: true }).waitFor();
      expect(await namesOf(page)).toEqual(["newer", "older"]);
    });
  });

  test("is grouped by project and stack", async () => {
    const platform = await startPlatform();
    await createAll(platform, "staging", "support-agent");
    await createAll(platform, "production", "billing-agent");
    await create(platform, "by-hand");
    await platform.advance(ROLLOUT_MS);
    await withPage(platform.url, async (page) => {
      await rows(page).filter({ hasText: "support-agent" }).filter({ hasText: "shop/staging" }).waitFor();
      await page.getByLabel("Group by stack").check();
      const items = page.getByRole("list", { name: "Deployments" }).getByRole("listitem");
      await items.filter({ hasText: "No stack" }).waitFor();
      const titles = (await items.allInnerTexts()).map((text) => text.split("\n")[0]?.trim());
      expect(titles.filter(Boolean)).toEqual([
        ...["No stack", "by-hand", "shop/production", "billing-agent", "shop/staging", "support-agent"],
      ]);
    });
  });

  test("is below a banner while a stack is being updated", async () => {
    const platform = await startPlatform();
    const [first = "", second = ""] = await createAll(platform, "staging", "first", "second", "third");
    await platform.advance(60_000);
    await update(platform, first, "1.1.0");
    await platform.advance(ROLLOUT_MS);
    await update(platform, second, "1.1.0");
    await withPage(`${platform.url}/#/crons`, async (page) => {
      const banner = page.getByRole("region", { name: "Updates in progress" });
      await banner.getByText("shop/staging is being updated: 1 of 2 resources done. second CREATING").waitFor();
      await platform.advance(ROLLOUT_MS);
      await banner.waitFor({ state: "detached" });
    });
  });

  test("gets the focus and the title of the tab after a navigation, and the search after a slash", async () => {
    const platform = await startPlatform();
    const [id = ""] = await createAll(platform, "staging", "support-agent", "billing-agent");
    await withPage(platform.url, async (page) => {
      await rows(page).last().click();
      await page.getByRole("heading", { name: "support-agent", level: 2 }).waitFor();
      const focused = () => page.evaluate("document.activeElement.tagName + ' ' + document.activeElement.innerText");
      await expect(focused()).resolves.toBe("H2 support-agent");
      expect(await page.title()).toBe("support-agent: DEPLOYED · Agent platform emulator");
      await page
        .getByRole("navigation", { name: "Parts of the deployment" })
        .getByRole("link", { name: "Log" })
        .click();
      await page.getByRole("region", { name: "Log lines" }).waitFor();
      await page.reload();
      await page.getByRole("region", { name: "Log lines" }).waitFor();
      expect(new URL(page.url()).hash).toBe(`#/deployments/${id}/log`);
      await page.getByRole("link", { name: "All deployments" }).click();
      await rows(page).nth(1).waitFor();
      expect(await page.title()).toBe("Deployments · Agent platform emulator");
      await page.keyboard.press("/");
      await page.keyboard.type("billing");
      await page.getByText("1 deployment", { exact: true }).waitFor();
      await rows(page).first().focus();
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).getByText("Search this list").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
    });
  });
});
