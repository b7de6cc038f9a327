import { agentEntry, agentsFile, untilEnded } from "../support/agents/agents";
import { startCommand } from "../support/cli/command";
import { docker } from "../support/emulator";
import { newFolder } from "../support/folder";

it("An emulator that is killed leaves no agent behind, and starts it again", async () => {
  const data = newFolder();
  const args = ["--data", data, "--agents", agentsFile([agentEntry("ignore-sigterm")]), "--speed", "20"];
  const first = await startCommand(...args);
  const { id } = (await first.send("POST", "/v2/deployments", docker("agent"))).body;
  const before = await untilAvailable(first.url, id);
  const killedAt = performance.now();
  await first.kill();
  await untilEnded(before);
  expect(performance.now() - killedAt).toBeLessThan(5000);
  const second = await startCommand(...args);
  const after = await untilAvailable(second.url, id);
  expect(await second.terminate()).toBe(0);
  await untilEnded(after);
});

/** Returns the PID of the agent. */
async function untilAvailable(url: string, id: string): Promise<number> {
  for (;;) {
    const response = await fetch(`${url}/agents/${id}/`);
    if (response.status === 200) return JSON.parse(await response.text()).pid;
  }
}
