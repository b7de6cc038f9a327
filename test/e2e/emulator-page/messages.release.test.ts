import { join } from "node:path";
import type { Page } from "playwright-core";
import { agentEntry, agentsFile } from "../../../emulator/test/support/agents/agents";
import { startPlatform } from "../../support/platform";
import { checkAccessibility, describeInBrowser, screenshot } from "../../support/run/browser";
import { create, QUESTION, ROLLOUT_MS } from "./support/platform";

const EXAMPLE = join(__dirname, "..", "..", "..", "examples", "local-agent", "agent");
const KEY = "a-workspace-key";

const box = (page: Page) => page.getByRole("region", { name: "Send a message" });

/** Sends a message with the keyboard. */
async function say(page: Page, text: string): Promise<void> {
  await box(page).getByRole("textbox", { name: "Message to the agent" }).fill(text);
  await page.keyboard.press("Enter");
}

/** Waits until the box shows these messages and no others. */
async function expectMessages(page: Page, ...texts: string[]): Promise<void> {
  const messages = box(page).getByRole("log", { name: "Conversation" }).getByRole("listitem");
  await messages
    .getByText(texts.at(-1) ?? "", { exact: true })
    .last()
    .waitFor();
  const shown = await messages.allInnerTexts();
  expect(shown.map((text) => text.split(/\n+/).at(-1))).toEqual(texts);
}

async function expectUsable(page: Page, name: string): Promise<void> {
  await screenshot(page, name);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  await checkAccessibility(page);
}

describeInBrowser("the box that sends messages to an agent", (withPage) => {
  test("appears once a revision is live, continues its thread, and starts another one", async () => {
    const platform = await startPlatform();
    const { id } = await create(platform, "support-agent");
    await platform.advance(1000);
    await withPage(
      `${platform.url}/#/deployments/${id}`,
      async (page) => {
        await page.getByText("Revision 1 is being rolled out: DEPLOYING.").waitFor();
        expect(await box(page).count()).toBe(0);
        await platform.advance(ROLLOUT_MS);
        await say(page, QUESTION);
        await box(page).getByText("The clock is frozen: the agent responds when it advances.").waitFor();
        await platform.emulator.clock.resume();
        await expectMessages(page, QUESTION, `Echo: ${QUESTION}`);
        await say(page, "And now?");
        await expectMessages(page, QUESTION, `Echo: ${QUESTION}`, "And now?", "Echo: And now?");
        const link = box(page).getByRole("link", { name: /^Thread [0-9a-f]{8}$/ });
        await box(page).getByText("idle").waitFor();
        await expectUsable(page, "message-box-375");
        await box(page).getByRole("button", { name: "New thread" }).click();
        expect(await link.count()).toBe(0);
        await say(page, "Hello");
        await expectMessages(page, "Hello", "Echo: Hello");
        await link.click();
        await page.getByRole("region", { name: "Messages" }).getByText("Echo: Hello").waitFor();
      },
      { width: 375 },
    );
    expect(platform.emulator.requestLog.count({ method: "POST", path: "/agents/*/threads" })).toBe(2);
  });

  test("offers the graphs of the deployment, its own one first, and shows why a run failed", async () => {
    const platform = await startPlatform();
    const { id } = await create(platform, "support-agent");
    await platform.advance(ROLLOUT_MS);
    await platform.emulator.clock.resume();
    await withPage(`${platform.url}/#/deployments/${id}`, async (page) => {
      const graph = box(page).getByRole("combobox", { name: "Graph" });
      await graph.waitFor();
      expect(await graph.inputValue()).toBe("agent");
      await graph.selectOption("failing");
      await say(page, QUESTION);
      await box(page).getByRole("alert").filter({ hasText: "This graph always fails" }).waitFor();
      await expectMessages(page, QUESTION);
      await box(page).getByText("error", { exact: true }).waitFor();
      await graph.selectOption("interrupt");
      await say(page, "Continue");
      await box(page).getByText("interrupted", { exact: true }).waitFor();
      await box(page)
        .getByRole("link", { name: /^Thread / })
        .click();
      await page.getByText("The agent waits for a decision: Shall I finish?").waitFor();
    });
  });

  test("asks for the API key that --agent-auth requires, and keeps it in memory only", async () => {
    const platform = await startPlatform({ agentAuth: "key" });
    const { id } = await create(platform, "support-agent");
    await platform.advance(ROLLOUT_MS);
    await platform.emulator.clock.resume();
    await platform.emulator.seed({ keys: [{ key: KEY }] });
    await withPage(
      `${platform.url}/#/deployments/${id}`,
      async (page) => {
        await say(page, QUESTION);
        const alert = box(page).getByRole("alert");
        await alert.filter({ hasText: "Not authenticated. The emulator runs with --agent-auth key" }).waitFor();
        const key = box(page).getByLabel("API key, required by --agent-auth key");
        await key.fill("another-key");
        await say(page, QUESTION);
        await alert.filter({ hasText: "403: Invalid API key" }).waitFor();
        await key.fill(KEY);
        await say(page, QUESTION);
        await expectMessages(page, QUESTION, `Echo: ${QUESTION}`);
        await expectUsable(page, "message-box-key-375");
        expect(await page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length")).toBe(0);
        await page.reload();
        expect(await key.inputValue()).toBe("");
      },
      { width: 375, expectedProblems: /status of 40[13]/ },
    );
  });

  test("talks to an agent that runs as a process, and shows its errors in its own words", async () => {
    const start = [process.execPath, "server.mjs", "{port}"];
    const entry = agentEntry("", { start, folder: EXAMPLE, environment: { MODEL_KEY: "a-key" } });
    const platform = await startPlatform({ agents: agentsFile([entry]) });
    const { id } = await create(platform, "my-agent");
    await platform.advance(ROLLOUT_MS);
    await withPage(
      `${platform.url}/#/deployments/${id}`,
      async (page) => {
        await say(page, QUESTION);
        await expectMessages(page, QUESTION, `Hello: ${QUESTION}`);
        const thread = await box(page)
          .getByText(/^[0-9a-f-]{36}$/)
          .textContent();
        const link = box(page).getByRole("link", { name: "Thread as JSON" });
        expect(await link.getAttribute("href")).toBe(`/agents/${id}/threads/${thread}`);
        const threads = page.getByRole("group").filter({ hasText: "Threads of this agent" });
        await threads.getByText("Threads of this agent").click();
        const row = threads.getByRole("listitem");
        await row.getByText(`Hello: ${QUESTION}`).waitFor();
        expect((await row.allInnerTexts()).map((text) => text.includes(`${thread}`))).toEqual([true]);
        await row.getByText("idle").waitFor();
        await expectUsable(page, "agent-threads");
        await platform.call("DELETE", `/agents/${id}/threads/${thread}`);
        await say(page, "And now?");
        await box(page)
          .getByRole("alert")
          .filter({ hasText: `404: ${thread} not found.` })
          .waitFor();
        expect(await box(page).getByRole("textbox", { name: "Message to the agent" }).inputValue()).toBe("And now?");
        await threads.getByRole("button", { name: "Load again" }).click();
        await threads.getByText("No threads yet.").waitFor();
      },
      { expectedProblems: /status of 404/ },
    );
  });
});
