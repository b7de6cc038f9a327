import { basename, dirname } from "node:path";
import { startWorkspace, toSnakeCase } from "../../support/exports/exports";
import { describeInBrowser } from "../../support/run/browser";
import { converse, createExport, QUESTION, ROLLOUT_MS, send, startWithAgent } from "./support/platform";

const HOUR = 3_600_000;

describeInBrowser("threads on the emulator's page", (withPage) => {
  test("appear without a reload, with their deployment, messages, and why their last run failed", async () => {
    const { platform, id } = await startWithAgent();
    await platform.advance(ROLLOUT_MS);
    await withPage(`${platform.url}/#/threads`, async (page) => {
      await page.getByText("No threads yet").waitFor();
      const thread = await converse(platform, id, QUESTION);
      const row = page.getByRole("list", { name: "Threads" }).getByRole("link");
      await row.filter({ hasText: QUESTION }).filter({ hasText: "support-agent" }).click();
      const messages = page.getByRole("log", { name: "Conversation" }).locator(".messages > li");
      await messages.nth(1).waitFor();
      const texts = await messages.allInnerTexts();
      expect(texts.map((text) => text.split(/\n+/))).toEqual([
        ["User", QUESTION],
        ["Agent", `Echo: ${QUESTION}`],
      ]);
      await send(platform, "POST", `/agents/${id}/threads/${thread}/runs`, {
        assistant_id: "echo",
        input: { messages: [{ type: "human", content: "And now?" }] },
      });
      await platform.advance(ROLLOUT_MS);
      await messages.filter({ hasText: "Echo: And now?" }).waitFor();
      await send(platform, "POST", `/agents/${id}/threads/${thread}/runs`, { assistant_id: "failing", input: {} });
      await platform.advance(ROLLOUT_MS);
      await page.getByRole("alert").filter({ hasText: "The last run failed:" }).waitFor();
      await converse(platform, id, "Thank you!");
      await page.goto(`${platform.url}/#/threads`);
      await row.nth(1).waitFor();
      await page.getByRole("searchbox").fill("THANK");
      await page.getByText("1 thread", { exact: true }).waitFor();
      await row.filter({ hasText: "Thank you!" }).waitFor();
    });
  });
});

describeInBrowser("exports on the emulator's page", (withPage) => {
  test("appear without a reload, and show their progress and the files that they wrote", async () => {
    const workspace = await startWorkspace();
    await withPage(`${workspace.url}/#/exports`, async (page) => {
      await page.getByText("No exports yet").waitFor();
      const id = await createExport(workspace);
      const row = page.getByRole("list", { name: "Exports" }).getByRole("link");
      await row.filter({ hasText: "Jan 1, 2026 to Jan 4, 2026" }).waitFor();
      await workspace.advance(HOUR);
      await row.filter({ hasText: "COMPLETED" }).filter({ hasText: "3 of 3 runs" }).click();
      const files = page.getByRole("list", { name: "Files in the bucket" }).getByRole("listitem");
      await files.nth(2).waitFor();
      const { body } = await workspace.call("GET", `/_emulator/exports/${id}`);
      const runs = (body as unknown as { runs: { metadata: { result: { exported_files: string[] } } }[] }).runs;
      const written = runs.flatMap(({ metadata }) => metadata.result.exported_files);
      expect(await files.allInnerTexts()).toEqual(written.map((path) => basename(path)));
      for (const path of written) await page.getByText(`Files in ${dirname(path)}`, { exact: true }).waitFor();
      expect(await page.getByText("24 rows").count()).toBe(3);
    });
  });

  test("show how many runs are complete while others are running, and why one failed", async () => {
    const workspace = await startWorkspace();
    await workspace.emulator.faults.add({ times: 100, export_run: { error: "The bucket is not accessible" } });
    const id = await createExport(workspace);
    await withPage(`${workspace.url}/#/exports/${id}`, async (page) => {
      await page.getByText("No runs yet", { exact: false }).first().waitFor();
      await workspace.advance(60_000);
      await page.getByText("0 of 3 runs").waitFor();
      await workspace.advance(100 * HOUR);
      await page.getByText("The bucket is not accessible").first().waitFor();
      await page.getByText("FAILED").first().waitFor();
    });
  });

  test("of a schedule are listed with it", async () => {
    const workspace = await startWorkspace();
    const { id } = (await workspace.callTracingApi("POST", "bulk-exports", toSnakeCase(workspace.daily()))).body;
    await withPage(`${workspace.url}/#/exports/${id}`, async (page) => {
      await page.getByRole("heading", { name: /^Every 24 hours from/ }).waitFor();
      await workspace.advance(HOUR);
      const created = page.getByRole("region", { name: "Exports of this schedule" }).getByRole("listitem");
      await created.nth(1).filter({ hasText: "COMPLETED" }).waitFor();
      expect(await created.count()).toBe(2);
      await page.goto(`${workspace.url}/#/exports`);
      const rows = page.getByRole("list", { name: "Exports" }).getByRole("link");
      await rows.first().filter({ hasText: "Every 24 hours" }).filter({ hasText: "agent" }).waitFor();
      await page.getByRole("button", { name: "completed 2" }).click();
      await page.getByText("2 exports", { exact: true }).waitFor();
      await page.getByRole("searchbox").fill("another");
      await page.getByText("0 exports").waitFor();
      const bucket = page.getByRole("region", { name: "Bucket and destinations" });
      const { secretAccessKey, accessKeyId, url } = workspace.emulator.bucket;
      for (const value of [url, accessKeyId]) await bucket.getByText(value, { exact: true }).waitFor();
      expect(await bucket.getByText(secretAccessKey).count()).toBe(0);
      await bucket.getByRole("button", { name: "Show secret access key" }).click();
      await bucket.getByText(secretAccessKey, { exact: true }).waitFor();
      expect(await bucket.getByRole("list", { name: "Destinations" }).getByRole("listitem").count()).toBe(1);
    });
  });
});
