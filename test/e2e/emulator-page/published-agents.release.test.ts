import { join } from "node:path";
import type { Page } from "playwright-core";
import { agentsFile } from "../../../emulator/test/support/agents/agents";
import { type PublishedServer, SERVERS, startPublished } from "../../support/agent-servers/published";
import { startPlatform } from "../../support/platform";
import { checkAccessibility, describeInBrowser, screenshot } from "../../support/run/browser";
import { create, QUESTION, ROLLOUT_MS, send } from "./support/platform";

const FOLDER = join(__dirname, "..", "..", "support", "agent-servers");

describe.each(SERVERS)("the published agent server in %s", (kind) => {
  let server: PublishedServer;
  beforeAll(async () => {
    server = await startPublished(kind);
  });
  afterAll(() => server?.stop());

  describeInBrowser("behind the emulator's page", (withPage) => {
    test("streams its steps, responds as an assistant configures it, and waits for an answer", async () => {
      const environment = { TARGET: new URL(server.url).port };
      const start = [process.execPath, "forward.mjs"];
      const platform = await startPlatform({ agents: agentsFile([{ start, environment, folder: FOLDER }]) });
      const { id } = await create(platform, "published");
      await platform.advance(ROLLOUT_MS);
      const desk = { graph_id: "echo", name: "Order desk", context: { prefix: "Order desk: " } };
      await send(platform, "POST", `/agents/${id}/assistants`, desk);
      await withPage(`${platform.url}/#/deployments/${id}`, async (page) => {
        const box = page.getByRole("region", { name: "Send a message" });
        const say = async (text: string) => {
          await box.getByRole("textbox", { name: "Message to the agent" }).fill(text);
          await page.keyboard.press("Enter");
        };
        await say(QUESTION);
        await box.getByText(`Order desk: ${QUESTION}`, { exact: true }).waitFor();
        await box.getByRole("button", { name: "echo messages" }).waitFor();
        const assistant = box.getByRole("combobox", { name: "Assistant" });
        await box.getByRole("button", { name: "New thread" }).click();
        await assistant.selectOption("counter");
        await say('{"count": 1, "steps": 3}');
        const steps = box.getByRole("button", { name: /^(count|tick) count, steps$/ });
        // Each takes more than a second, so the first shows before the run ends.
        await steps.first().waitFor();
        await box.getByText("The agent is working …").waitFor();
        await steps.nth(2).waitFor();
        await expectState(page, '"count": 4');
        await box.getByRole("button", { name: "New thread" }).click();
        await assistant.selectOption("interrupt");
        await say('{"prepared": false}');
        await box.getByText("Shall I finish?").waitFor();
        await screenshot(page, `published-${kind}`);
        await checkAccessibility(page);
        await box.getByRole("link", { name: /^Thread / }).click();
        await page.getByRole("heading", { name: /^Thread / }).waitFor();
        await page.getByLabel("Text").fill("yes");
        await page.getByRole("button", { name: "Send text" }).click();
        await expectState(page, '"resumed": "yes"');
        await page.getByText("idle", { exact: true }).waitFor();
        await page.getByRole("button", { name: "finish resumed, finished" }).waitFor();
      });
    });
  });
});

/** Waits until the rest of the state of the thread contains this JSON. */
const expectState = (page: Page, json: string) =>
  page.getByRole("region", { name: "Other state as JSON" }).filter({ hasText: json }).waitFor();
