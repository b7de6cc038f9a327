import type { Page } from "playwright-core";
import { startPlatform } from "../../support/platform";
import { describeInBrowser } from "../../support/run/browser";
import { create, FAILURE, ROLLOUT_MS, send, startWithAgent, update, updateInVain } from "./support/platform";

const row = (page: Page, text: string) =>
  page.getByRole("list", { name: "Deployments" }).getByRole("link").filter({ hasText: text });
const follow = (page: Page, name: string) => page.getByRole("link", { name }).first().click();
/** The statuses on the time line of a revision, in order. */
const timeLine = (page: Page, revision: number) =>
  page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: `Revision ${revision}`, exact: true }) })
    .getByRole("list")
    .getByRole("listitem")
    .allInnerTexts()
    .then((items) => items.map((item) => item.trim().split("\n")[0]));

describeInBrowser("deployments on the emulator's page", (withPage) => {
  test("appear without a reload, and are rolled out by the buttons that advance the clock", async () => {
    const platform = await startPlatform();
    await withPage(platform.url, async (page) => {
      await page.getByText("No deployments yet").waitFor();
      await create(platform, "support-agent");
      await row(page, "support-agent")
        .filter({ hasText: "CREATING" })
        .filter({ hasText: "Nothing live yet" })
        .waitFor();
      await follow(page, "Clock and faults");
      await page.getByRole("button", { name: "10 seconds" }).click();
      await page.getByText("Advanced by 10 seconds: ended: support-agent DEPLOYED.").waitFor();
      await follow(page, "Deployments");
      await row(page, "support-agent")
        .filter({ hasText: "DEPLOYED" })
        .filter({ hasText: "support-agent:1.0.0" })
        .waitFor();
    });
  });

  test("show each status of a rollout on the time line of its revision while it happens", async () => {
    const { platform, id } = await startWithAgent();
    const statuses = ["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"];
    await withPage(`${platform.url}/#/deployments/${id}`, async (page) => {
      for (const status of statuses.slice(0, -1)) {
        while ((await platform.getDeployment(id)).revisions[0]?.status !== status) await platform.advance(50);
        await page.getByText(`Revision 1 is being rolled out: ${status}.`).waitFor();
      }
      await platform.advance(ROLLOUT_MS);
      await page.getByText("Revision 1 is live. Nothing is in progress.").waitFor();
      expect(await timeLine(page, 1)).toEqual(statuses);
    });
  });

  test("show why the last rollout failed, and which revision is still live", async () => {
    const { platform, id } = await startWithAgent();
    await platform.advance(ROLLOUT_MS);
    await withPage(platform.url, async (page) => {
      await row(page, "support-agent").filter({ hasText: "DEPLOYED" }).waitFor();
      await updateInVain(platform, id);
      await row(page, "DEPLOY_FAILED").filter({ hasText: "support-agent:1.0.0" }).click();
      await page
        .getByText(/^The last rollout failed: Revision 2 ended as DEPLOY_FAILED.*Revision 1 stays live\.$/)
        .waitFor();
      await page.getByText(`Reason: ${FAILURE}`).waitFor();
      expect(await page.title()).toBe("support-agent: DEPLOY_FAILED · Agent platform emulator");
      const failed = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Revision 2" }) });
      await failed.getByText(`Cause: ${FAILURE}`).waitFor();
      const live = page.getByRole("listitem").filter({ hasText: "Live: receives requests" });
      await live.getByRole("heading", { name: "Revision 1", exact: true }).waitFor();
      expect(await live.count()).toBe(1);
      expect((await timeLine(page, 2)).at(-1)).toBe("DEPLOY_FAILED");
      await failed.getByRole("link", { name: "Show in the log" }).click();
      await page.locator("[aria-current=location]").filter({ hasText: FAILURE }).waitFor();
    });
  });

  test("show the URL of the agent server and the Pulumi resource that manages them, and copy the URL", async () => {
    const platform = await startPlatform();
    const marker = "acme/urn:pulumi:production::shop::pulumi-nodejs:dynamic/agentgraph:Deployment::support";
    const secrets = [{ name: "PULUMI_RESOURCE", value: marker }];
    const { id } = await create(platform, "support-agent", "1.0.0", { secrets });
    await platform.advance(ROLLOUT_MS);
    await withPage(`${platform.url}/#/deployments/${id}`, async (page) => {
      await page.getByText("support, in stack production of project shop").waitFor();
      await page.getByText(`${platform.url}/agents/${id}`, { exact: true }).waitFor();
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByRole("button", { name: "Copy URL of the agent server" }).click();
      await page.getByText("Copied", { exact: true }).waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`${platform.url}/agents/${id}`);
    });
  });

  test("show what each revision changed, and the request that created it", async () => {
    const { platform, id } = await startWithAgent();
    await platform.advance(ROLLOUT_MS);
    await update(platform, id, "1.1.0");
    await withPage(`${platform.url}/#/deployments/${id}`, async (page) => {
      const second = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Revision 2" }) });
      await second.getByText(/^Changed: image_uri .*:1\.0\.0 → .*:1\.1\.0$/).waitFor();
      await second.getByRole("link", { name: "Request that created it" }).click();
      const body = page.getByRole("dialog").getByRole("region", { name: "Request body" });
      await body.getByText('"image_uri": "registry.example.com/team/support-agent:1.1.0"').waitFor();
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("heading", { name: "Revision 2" }).waitFor();
    });
  });

  test("show the log of all revisions, or of one", async () => {
    const { platform, id } = await startWithAgent();
    await platform.advance(ROLLOUT_MS);
    await update(platform, id, "1.1.0");
    await withPage(`${platform.url}/#/deployments/${id}/log`, async (page) => {
      const log = page.getByRole("region", { name: "Log lines" });
      const line = (tag: string) => log.getByText(`Deployed registry.example.com/team/support-agent:${tag}`);
      await line("1.0.0").waitFor();
      await platform.advance(ROLLOUT_MS);
      await line("1.1.0").waitFor();
      await page.getByRole("combobox", { name: "Revision" }).selectOption({ label: "2 (DEPLOYED)" });
      await line("1.0.0").waitFor({ state: "detached" });
      expect(await line("1.1.0").count()).toBe(1);
    });
  });

  test("disappear when they are deleted, also from their own view", async () => {
    const { platform, id } = await startWithAgent();
    await platform.advance(ROLLOUT_MS);
    await withPage(`${platform.url}/#/deployments/${id}`, async (page) => {
      await page.getByRole("heading", { name: "support-agent" }).waitFor();
      await send(platform, "DELETE", `/v2/deployments/${id}`);
      await page.getByText("The deployment is being deleted.").waitFor();
      await platform.advance(ROLLOUT_MS);
      await page.getByText("This deployment does not exist, or was deleted.").waitFor();
      await follow(page, "All deployments");
      await page.getByText("No deployments yet").waitFor();
    });
  });
});
