import { agentEntry, agentsFile } from "../../../emulator/test/support/agents/agents";
import { checkAccessibility, describeInBrowser } from "../../support/run/browser";
import { ROLLOUT_MS, SECRET, startWithAgent } from "./support/platform";

describeInBrowser("an agent on the emulator's page", (withPage) => {
  test("has its health, port, process, command and log, and a crash appears without a reload", async () => {
    const start = `${process.execPath} server.mjs --key ${SECRET}`;
    const restart = { pause: 3600, longest: 3600 };
    const { platform, id } = await startWithAgent({ agents: agentsFile([agentEntry("", { start, restart })]) });
    await withPage(
      `${platform.url}/#/deployments/${id}`,
      async (page) => {
        await platform.advance(ROLLOUT_MS);
        const agent = page.getByRole("region", { name: "Process of revision 1" });
        await agent.getByText("healthy").waitFor();
        await page.goto(`${platform.url}/#/deployments/${id}/log`);
        await page.getByText(/^The agent is healthy at port \d+$/).waitFor();
        await page.goto(`${platform.url}/#/deployments/${id}`);
        const text = (await agent.allInnerTexts()).join("\n");
        const [, pid] = /Process ID\s+(\d+)/.exec(text) ?? [];
        expect(text).toMatch(/Port\s+\d+/);
        expect(text).toMatch(/Restarts\s+0/);
        expect(text).toContain("server.mjs --key **********");
        await page.getByText("Threads of this agent").click();
        await page.getByText("This agent does not list its threads: POST /threads/search returns no list.").waitFor();
        process.kill(Number(pid), "SIGKILL");
        await page.getByText("its agent does not respond: it was ended by SIGKILL").waitFor();
        await agent.getByText("restarting").waitFor();
        expect(await page.content()).not.toContain(SECRET);
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
        await checkAccessibility(page);
      },
      { width: 375 },
    );
  });
});
