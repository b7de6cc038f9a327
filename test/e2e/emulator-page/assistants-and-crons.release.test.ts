import { checkAccessibility, describeInBrowser, screenshot } from "../../support/run/browser";
import { configure, ROLLOUT_MS, send, startWithAgent } from "./support/platform";

describeInBrowser("assistants and crons on the emulator's page", (withPage) => {
  test("appear without a reload: versions of an assistant, its crons, and the next time of each", async () => {
    const { platform, id } = await startWithAgent();
    await platform.advance(ROLLOUT_MS);
    await withPage(`${platform.url}/#/assistants`, async (page) => {
      await page.getByText("No assistants yet, except the default ones").waitFor();
      const { assistant, cron } = await configure(platform, id);
      const row = page.getByRole("list", { name: "Assistants" }).getByRole("link");
      await row
        .filter({ hasText: "Order desk" })
        .filter({ hasText: "Version 2" })
        .filter({ hasText: "1 cron" })
        .click();
      await page.getByRole("region", { name: "Context as JSON" }).filter({ hasText: "large" }).waitFor();
      const versions = page.getByRole("region", { name: "Versions" });
      await versions.getByText("(current)").filter({ hasText: "Version 2" }).waitFor();
      const changes = versions.getByRole("region", { name: "Changes of version 2" });
      for (const [kind, line] of [
        ["deletion", '-    "model": "small",'],
        ["insertion", '+    "model": "large",'],
        ["deletion", '-      You are polite."'],
        ["insertion", '+      You are polite and short."'],
      ] as const)
        await changes.getByRole(kind).filter({ hasText: line }).first().waitFor();
      await screenshot(page, "versions");
      await checkAccessibility(page);
      await versions.getByText("Version 1,").click();
      await page.getByRole("region", { name: "Version 1 as JSON" }).filter({ hasText: "small" }).waitFor();
      await page.getByRole("list", { name: "Crons" }).getByRole("link").filter({ hasText: "enabled" }).click();
      await page.getByText("New for each run, deleted after it").waitFor();
      await send(platform, "PATCH", `/agents/${id}/runs/crons/${cron}`, { enabled: false });
      await page.getByText("disabled", { exact: true }).waitFor();
      await send(platform, "PATCH", `/agents/${id}/assistants/${assistant}`, { name: "" });
      await page.goto(`${platform.url}/#/assistants/${id}/${assistant}`);
      await page.getByRole("heading", { name: "No name" }).waitFor();
      await send(platform, "PATCH", `/agents/${id}/runs/crons/${cron}`, { end_time: "2099-01-01" });
      await page.goto(`${platform.url}/#/crons/${id}/${cron}`);
      await page.getByRole("alert").filter({ hasText: "never fires" }).waitFor();
    });
  });
});
