import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agentEntry, ask, deploy, logOf, server, startDeployed, startWith } from "../support/agents/agents";
import { statuses } from "../support/emulator";
import { newFolder } from "../support/folder";

describe("the start of an agent", () => {
  const never = "/ok did not return 200 at port N within 3 s: ";
  const hint = " The live revision or another program uses this port: read";
  it.each([
    ["exit", "The agent exited with code 3 before /ok returned 200: cannot start: no model. "],
    ["throw", "The agent exited with code 1 before /ok returned 200: Error: no database. "],
    ["taken", "The agent exited with code 1 before /ok returned 200: Error: listen EADDRINUSE", hint],
    ["unhealthy,log", `${never}it returned 503 {"ok": false} (N times). `],
    ["other-port", `${never}the connection was refused (N times). The agent listens at port N: read the port from`],
    ["silent", `${never}the connection was refused (N times). The command`],
  ])("of the mode %s fails with the cause: %s", async (mode, cause, advice = "") => {
    const timeouts = { start: /unhealthy|port|silent/.test(mode) ? 3 : 20, stop: 2 };
    const { client, id } = await startDeployed([agentEntry(mode, { timeouts })]);
    expect(await statuses(client, id)).toEqual(["DEPLOY_FAILED"]);
    const log = await logOf(client, id);
    const last =
      log
        .at(-1)
        ?.replace(/port \d+/g, "port N")
        .replace(/\(\d+ times/, "(N times") ?? "";
    expect(last.startsWith(cause)).toBe(true);
    expect(last).toContain(advice);
    expect(log.at(-1)).toContain(`The command is: ${process.execPath} ${server} {image}`);
    // Looks at the health of the agent do not fill its log.
    expect(log.filter((line) => line.includes("GET /ok")).length).toBe(mode.includes("log") ? 1 : 0);
  });

  it("marks the error output of an agent, except what says that it is information", async () => {
    const { client, id } = await startDeployed([agentEntry("stderr")]);
    const { body } = await client.admin("GET", `/logs?deployment=${id}&type=deploy`);
    const lines = (body as unknown as { lines: { level: string; message: string }[] }).lines;
    expect(Object.fromEntries(lines.map(({ level, message }) => [message, level]))).toMatchObject({
      "INFO:     Started server": "INFO",
      '127.0.0.1 - - "GET / HTTP/1.1" 200 -': "INFO",
      "2026-11-26 WARN: slow": "WARNING",
      "KeyError: 'MODEL'": "WARNING",
    });
  });

  it("sends nothing to another process that took the port before the agent listened", async () => {
    const { client, id } = await startDeployed([agentEntry("squatted")]);
    expect(await statuses(client, id)).toEqual(["DEPLOY_FAILED"]);
    expect((await logOf(client, id)).at(-1)).toMatch(/^Another process took port \d+ before the agent listened/);
    const helped = await startWith([agentEntry("squatted", { port_owner: "any" })]);
    expect(await statuses(helped, await deploy(helped))).toEqual(["DEPLOYED"]);
  });

  it("tries another port if another program took the first before the agent listened", async () => {
    const first = join(newFolder(), "first-port");
    const { client, id } = await startDeployed([agentEntry("", { environment: { FIRST_START: first } })]);
    expect(await statuses(client, id)).toEqual(["DEPLOYED"]);
    const port = readFileSync(first, "utf8");
    expect((await logOf(client, id)).join("\n")).toMatch(
      new RegExp(`EADDRINUSE.* Another program took port ${port} .* It is started again with another port\n`),
    );
  });

  it("sends nothing to another process that takes the port of a running agent", async () => {
    const { client, id } = await startDeployed([agentEntry("")]);
    const before = await ask(client, id);
    await ask(client, id, "/hand-over");
    const headers = { "x-api-key": "k" };
    const response = await fetch(`${client.emulator.urls.controlPlane}/agents/${id}/`, { headers });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("Another process listens at the port of the agent");
    process.kill(before?.pid ?? 0, "SIGKILL");
  });
});
