import type { Page } from "playwright-core";
import { startPlatform } from "../../support/platform";
import { describeInBrowser } from "../../support/run/browser";
import { create, startBusyPlatform } from "./support/platform";
import { forEachView } from "./support/views";

/** What has the focus: its role or tag with its name, and whether a reader can see that it has it. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { width, height } = element.getBoundingClientRect();
  const name = element.getAttribute("aria-label") ?? (element.labels?.[0] ?? element).innerText;
  return {
    name: element.tagName.toLowerCase() + " " + name.trim().split("\\n")[0],
    isVisible: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && width > 1 && height > 1,
  };
})()`;

const focused = (page: Page) => page.evaluate<{ name: string; isVisible: boolean }>(FOCUSED);

/** Elements that a mouse can use and that are shown. */
const CONTROLS = `[...document.querySelectorAll("a[href], button, input, select, summary, textarea, [tabindex='0']")]
  .filter((element) => element.checkVisibility() && !element.disabled).length`;

/**
 * Whether the focus is on an element for the first time. At the end of a page, it is on the body or on the first one
 * again.
 */
const IS_NEW = `(() => {
  const { activeElement: element, body } = document;
  window.reached ??= new Set([body]);
  return !window.reached.has(element) && !!window.reached.add(element);
})()`;

/** Presses Tab until all elements had the focus that can have it, and returns how many these are. */
async function tabThrough(page: Page): Promise<number> {
  for (let count = 0; ; count++) {
    await page.keyboard.press("Tab");
    if (!(await page.evaluate(IS_NEW))) return count;
    const { name, isVisible } = await focused(page);
    expect({ name, isVisible }).toEqual({ name, isVisible: true });
  }
}

describeInBrowser("the emulator's page with the keyboard only", (withPage) => {
  test("reaches every control of every view with Tab, and shows where the focus is", async () => {
    const platform = await startBusyPlatform();
    await withPage(platform.url, (page) =>
      forEachView(page, platform, async (view) => {
        // A dialog keeps the focus; its test is below.
        if (view === "request") return;
        expect({ view, reached: await tabThrough(page) }).toEqual({ view, reached: await page.evaluate(CONTROLS) });
      }),
    );
  });

  test("opens a deployment with Enter, and skips the navigation", async () => {
    const platform = await startPlatform();
    await create(platform, "support-agent");
    await withPage(platform.url, async (page) => {
      await page.getByRole("link").filter({ hasText: "support-agent" }).waitFor();
      await page.keyboard.press("Tab");
      expect((await focused(page)).name).toBe("button Skip to content");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      expect((await focused(page)).name).toBe("a support-agent");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "support-agent" }).waitFor();
    });
  });

  test("opens a request, stays in its dialog, closes it with Escape, and returns to the request", async () => {
    const platform = await startPlatform();
    await create(platform, "first");
    await create(platform, "second");
    await withPage(`${platform.url}/#/requests`, async (page) => {
      const rows = page.getByRole("list", { name: "Requests" }).getByRole("link");
      await rows.nth(1).waitFor();
      await rows.nth(1).focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Request 1" });
      await dialog.getByRole("region", { name: "Response body" }).waitFor();
      for (let count = 0; count < 8; count++) {
        expect(await page.evaluate("document.activeElement.closest('dialog, body').tagName")).toMatch(/DIALOG|BODY/);
        await page.keyboard.press("Tab");
      }
      await dialog.getByRole("button", { name: "Show secret values" }).focus();
      await page.keyboard.press("Space");
      await dialog.getByText("hidden-value").first().waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      expect(await rows.nth(1).evaluate((row) => row === row.ownerDocument.activeElement)).toBe(true);
    });
  });
});
