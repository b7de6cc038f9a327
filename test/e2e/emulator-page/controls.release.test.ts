import { startPlatform } from "../../support/platform";
import { describeInBrowser } from "../../support/run/browser";
import { create, ROLLOUT_MS } from "./support/platform";

describeInBrowser("the clock on the emulator's page", (withPage) => {
  test("is frozen, resumed and advanced with buttons, and shows what other clients do", async () => {
    const platform = await startPlatform();
    const { clock } = platform.emulator;
    await withPage(`${platform.url}/#/controls`, async (page) => {
      await page.getByRole("banner").getByText("frozen").waitFor();
      await page.getByRole("button", { name: "Resume the clock" }).click();
      await page.getByRole("strong").filter({ hasText: "The clock is running." }).waitFor();
      expect(clock.read().frozen).toBe(false);
      await page.getByRole("button", { name: "Freeze the clock" }).click();
      await page.getByRole("strong").filter({ hasText: "The clock is frozen." }).waitFor();
      await page.getByRole("banner").getByText("frozen").waitFor();
      const before = Date.parse(clock.read().now);
      await page.getByRole("button", { name: "1 day" }).click();
      await page.getByText("Advanced by 1 day: no revision and no export run ended.").waitFor();
      expect(Date.parse(clock.read().now) - before).toBe(86_400_000);
      await page.getByRole("banner").locator(`time[datetime="${clock.read().now}"]`).waitFor();
      await platform.call("POST", "/_emulator/clock", { frozen: false });
      await page.getByRole("button", { name: "Freeze the clock" }).waitFor();
    });
  });
});

describeInBrowser("faults on the emulator's page", (withPage) => {
  test("are added, act, and disappear when they are used up", async () => {
    const platform = await startPlatform();
    await withPage(`${platform.url}/#/controls`, async (page) => {
      const form = page.getByRole("form", { name: "Add a fault" });
      await form.getByLabel("What happens").selectOption("The next rollout fails");
      await form.getByLabel("Deployment name").fill("support-agent");
      await form.getByLabel("Reason in the log").fill("out of memory");
      await form.getByRole("button", { name: "Add fault" }).click();
      const remove = page.getByRole("button", { name: /^Remove fault/ });
      await remove.waitFor();
      const { id } = await create(platform, "support-agent");
      await platform.advance(ROLLOUT_MS);
      await remove.waitFor({ state: "detached" });
      await page.goto(`${platform.url}/#/deployments/${id}`);
      await page.getByText("Reason: out of memory").waitFor();
    });
  });

  test("of each kind are accepted with the defaults of the form, and are removed with a button", async () => {
    const platform = await startPlatform();
    await withPage(`${platform.url}/#/controls`, async (page) => {
      const kinds = page.getByLabel("What happens");
      await kinds.getByRole("option").nth(4).waitFor({ state: "attached" });
      const titles = await kinds.getByRole("option").allInnerTexts();
      expect(titles.length).toBeGreaterThan(4);
      for (const title of titles) {
        await kinds.selectOption(title);
        await page.getByRole("button", { name: "Add fault" }).click();
        const remove = page.getByRole("button", { name: /^Remove fault/ });
        await remove.waitFor();
        expect(platform.emulator.faults.list()).toHaveLength(1);
        await remove.click();
        await remove.waitFor({ state: "detached" });
        expect(platform.emulator.faults.list()).toEqual([]);
      }
    });
  });

  test("fail requests with the status of the form, and are reported if the emulator rejects them", async () => {
    const platform = await startPlatform();
    await withPage(
      `${platform.url}/#/controls`,
      async (page) => {
        const status = page.getByRole("textbox", { name: "Status" });
        const add = page.getByRole("button", { name: "Add fault" });
        await page.getByLabel("What happens").selectOption("A request gets an error");
        await status.fill("99");
        await add.click();
        const problem = "status: Input should be greater than or equal to 200";
        await page.getByRole("status").filter({ hasText: problem }).waitFor();
        await page.getByLabel("Path").fill("/v2/deployments");
        await status.fill("507");
        await page.getByLabel("How many times").fill("2");
        await add.click();
        await page.getByRole("button", { name: /^Remove fault/ }).waitFor();
        for (const code of [507, 507, 200]) expect((await platform.call("GET", "/v2/deployments")).status).toBe(code);
        await page.goto(`${platform.url}/#/requests?reads=shown`);
        await page.getByRole("link").filter({ hasText: "507" }).filter({ hasText: "Injected fault" }).first().waitFor();
      },
      { expectedProblems: /422/ },
    );
  });
});
