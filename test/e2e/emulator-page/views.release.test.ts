import type { Page } from "playwright-core";
import { checkAccessibility, describeInBrowser, screenshot } from "../../support/run/browser";
import { startBusyPlatform } from "./support/platform";
import { forEachView } from "./support/views";

const WIDTHS = [375, 768, 1280];

describeInBrowser("the views of the emulator's page", (withPage) => {
  test.each(["light", "dark"] as const)("are accessible and fit into every width, %s", async (colorScheme) => {
    const platform = await startBusyPlatform();
    const problems: string[] = [];
    const check = async (page: Page, name: string) => {
      await screenshot(page, `${name}-${colorScheme}`);
      const missing = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      if (missing !== 0) problems.push(`${name}: ${missing} px too wide`);
      await checkAccessibility(page).catch(({ message }: Error) => problems.push(`${name}: ${message}`));
    };
    await withPage(
      platform.url,
      (page) =>
        forEachView(page, platform, async (view) => {
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 800 });
            await check(page, `${view}-${width}`);
          }
          // The next view begins with the first width.
          await page.setViewportSize({ width: 375, height: 800 });
        }),
      { colorScheme, width: 375 },
    );
    expect(problems).toEqual([]);
  });
});
