import { join } from "node:path";
import type { Page } from "playwright-core";
import { agentEntry, agentsFile } from "../../../emulator/test/support/agents/agents";
import { startPlatform } from "../../support/platform";
import { checkAccessibility, describeInBrowser, screenshot } from "../../support/run/browser";
import { create, QUESTION, ROLLOUT_MS, send, startWithAgent } from "./support/platform";

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
  const messages = box(page).getByRole("log", { name: "Conversation" }).locator(".messages > li");
  await messages
    .getByText(texts.at(-1) ?? "", { exact: true })
    .last()
    .waitFor();
  expect((await messages.allInnerTexts()).map((text) => text.trim().split(/\n+/).at(-1))).toEqual(texts);
}

/** Waits until the state has the answer that the graph `interrupt` received. */
async function expectResumed(page: Page, json: string): Promise<void> {
  await page
    .getByRole("region", { name: "Other state as JSON" })
    .filter({ hasText: `"resumed": ${json}` })
    .waitFor();
}

async function expectUsable(page: Page, name: string): Promise<void> {
  await screenshot(page, name);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  await checkAccessibility(page);
}

describeInBrowser("the box that sends messages to an agent", (withPage) => {
  test("appears once a revision is live, continues its thread, and starts another one", async () => {
    const { platform, id } = await startWithAgent();
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

  test("offers the assistants of the deployment, then its graphs, and shows why a run failed", async () => {
    const { platform, id } = await startWithAgent();
    await platform.advance(ROLLOUT_MS);
    await platform.emulator.clock.resume();
    const desk = { graph_id: "echo", name: "Order desk", context: { prefix: "Order desk: " } };
    await send(platform, "POST", `/agents/${id}/assistants`, desk);
    await withPage(`${platform.url}/#/deployments/${id}`, async (page) => {
      const assistant = box(page).getByRole("combobox", { name: "Assistant" });
      await assistant.waitFor();
      expect(await assistant.locator("option").allInnerTexts()).toEqual([
        ...["Order desk (echo)", "agent", "echo", "counter", "interrupt", "failing", "memory"],
      ]);
      await say(page, QUESTION);
      await expectMessages(page, QUESTION, `Order desk: ${QUESTION}`);
      await assistant.selectOption("failing");
      await say(page, "And now?");
      await box(page).getByRole("alert").filter({ hasText: "This graph always fails" }).waitFor();
      await expectMessages(page, QUESTION, `Order desk: ${QUESTION}`, "And now?");
      await box(page).getByText("error", { exact: true }).waitFor();
    });
  });

  test("lets a person answer a thread that waits, there and on the thread's own page", async () => {
    const { platform, id } = await startWithAgent();
    await platform.advance(ROLLOUT_MS);
    await platform.emulator.clock.resume();
    await withPage(
      `${platform.url}/#/deployments/${id}`,
      async (page) => {
        const ask = async (text: string) => {
          await box(page).getByRole("combobox", { name: "Assistant" }).selectOption("interrupt");
          await say(page, text);
          await box(page).getByText("Shall I finish?").waitFor();
        };
        await ask('{"steps": 1}');
        await expectUsable(page, "question-375");
        await box(page).getByRole("button", { name: "Approve" }).click();
        await expectResumed(page, "true");
        await box(page).getByRole("button", { name: "New thread" }).click();
        await ask('{"steps": 2}');
        await box(page)
          .getByRole("link", { name: /^Thread / })
          .click();
        await page.getByRole("heading", { name: /^Thread / }).waitFor();
        const question = page.getByRole("region", { name: "Question of the agent" });
        await question.getByLabel("Text").fill("Yes, but slowly");
        await question.getByRole("button", { name: "Send text" }).click();
        await expectResumed(page, '"Yes, but slowly"');
        expect(await page.getByRole("combobox", { name: "Assistant" }).inputValue()).toBe("interrupt");
        const [thread] = page.url().split("/").slice(-1);
        const stopped = { assistant_id: "interrupt", input: { steps: 3 }, interrupt_before: ["prepare"] };
        await platform.call("POST", `/agents/${id}/threads/${thread}/runs`, stopped);
        await page.getByText("The run stopped before prepare.").waitFor();
        await page.getByRole("button", { name: "Continue" }).click();
        await question.getByText("Shall I finish?").waitFor();
      },
      { width: 375, colorScheme: "dark" },
    );
  });

  test("asks for the API key that --agent-auth requires, and keeps it in memory only", async () => {
    const { platform, id } = await startWithAgent({ agentAuth: "key" });
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
        const link = box(page).getByRole("link", { name: /^Thread / });
        const thread = (await link.getAttribute("href"))?.split("/").at(-1);
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

  test("shows tokens as they arrive, calls of tools, and a question of an agent that is a process", async () => {
    const start = [process.execPath, "streaming-agent.mjs", "{port}"];
    const entry = agentEntry("", { start, folder: join(__dirname, "support") });
    const platform = await startPlatform({ agents: agentsFile([entry]) });
    const { id } = await create(platform, "refunds");
    await platform.advance(ROLLOUT_MS);
    await withPage(`${platform.url}/#/deployments/${id}`, async (page) => {
      await say(page, QUESTION);
      await expectMessages(page, QUESTION, "I look at");
      await box(page).getByText("The agent is working …").waitFor();
      await platform.call("GET", `/agents/${id}/continue`);
      await box(page).getByText("I look at your order.").waitFor();
      await box(page).getByText('refund({"order":17,"amount":89.9})').waitFor();
      await box(page).getByText("No result yet").waitFor();
      await box(page).getByText("Refund the customer?").waitFor();
      expect(await box(page).getByRole("button", { name: "Send text" }).count()).toBe(0);
      await expectUsable(page, "question");
      await box(page)
        .getByRole("link", { name: /^Thread / })
        .click();
      await page.getByRole("heading", { name: /^Thread / }).waitFor();
      await page.getByRole("button", { name: "Approve" }).click();
      await page.getByText("Refunded 89.90").first().waitFor();
      const turn = page.getByRole("list", { name: "Checkpoints of turn 1" });
      await turn.getByRole("button", { name: "tools messages, refunded" }).click();
      await page
        .getByRole("region", { name: "State after tools as JSON" })
        .filter({ hasText: '"refunded": true' })
        .waitFor();
      await expectUsable(page, "turns");
      await page.emulateMedia({ colorScheme: "dark" });
      await expectUsable(page, "turns-dark");
      const { body } = await platform.call("GET", `/agents/${id}/threads/any`);
      expect(body).toMatchObject({ metadata: { assistant_id: "a-1" }, answer: { decisions: [{ type: "approve" }] } });
    });
  });
});
