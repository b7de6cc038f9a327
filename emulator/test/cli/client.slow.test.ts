/** Which emulator a command connects to, and its error if none is running. */
import { serve } from "../support/bucket/http-server";
import { type CommandResult, runCommand, startCommand } from "../support/cli/command";
import { newFolder } from "../support/folder";

describe("a command", () => {
  const unusedUrl = "http://127.0.0.1:9";
  const reportedUrl = ({ stdout }: CommandResult) => JSON.parse(stdout).url;
  const list = ["faults", "--json"];

  test("connects to the emulator of its options, else of the environment, else of the current folder", async () => {
    const emulator = await startCommand();
    const { port } = new URL(emulator.url);
    const env = { AGENTGRAPH_CONTROL_PLANE_URL: unusedUrl };
    expect(reportedUrl(await runCommand([...list, "--url", `${emulator.url}/`], env))).toBe(emulator.url);
    expect(reportedUrl(await runCommand([...list, "--port", port], env))).toBe(emulator.url);
    for (const name of ["AGENTGRAPH_CONTROL_PLANE_URL", "AGENTGRAPH_URL"])
      expect(reportedUrl(await runCommand(list, { [name]: emulator.url }))).toBe(emulator.url);

    const folder = newFolder();
    const started = await runCommand(["start", "--port", "0"], {}, folder);
    try {
      const [, url] = /running at (\S+)/.exec(started.stdout) ?? [];
      expect(reportedUrl(await runCommand(list, {}, folder))).toBe(url);
      expect(reportedUrl(await runCommand([...list, "--data", `${folder}/.agentgraph/emulator`], env))).toBe(url);
    } finally {
      await runCommand(["stop"], {}, folder);
    }
    const stopped = await runCommand([...list, "--data", folder]);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/^error: No emulator is running with the data folder /);
  });

  test("reports a stopped emulator with the next step", async () => {
    const emulator = await startCommand();
    await emulator.terminate();
    const stderr =
      `error: No emulator is running at ${emulator.url}: ECONNREFUSED. Start one with "agentgraph-emulator ` +
      `start", or set its URL with --url.\n`;
    for (const args of [["reset"], ["advance", "1s"], ["faults"], ["logs", "--follow"]])
      expect(await runCommand([...args, "--url", emulator.url])).toMatchObject({ code: 1, stdout: "", stderr });
  });

  test("sends no request to another server after the health check", async () => {
    const requests: string[] = [];
    const url = await serve((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.end('{"status":"ok"}');
    });
    const { code, stderr } = await runCommand(["reset"], { AGENTGRAPH_CONTROL_PLANE_URL: url });
    expect(code).toBe(1);
    expect(stderr).toContain(`${url} (from AGENTGRAPH_CONTROL_PLANE_URL) is not an emulator`);
    expect(requests).toEqual(["GET /_emulator/health"]);
  });

  test.each(["https://api.example", "http://user:word@127.0.0.1:9", "7420"])("rejects the URL %s", async (url) => {
    const { code, stderr } = await runCommand(["reset", "--url", url]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("Invalid emulator URL") });
    expect(stderr).not.toContain("word");
  });

  test("rejects options of the start", async () => {
    const { code, stderr } = await runCommand(["reset", "--demo"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--demo is an option of the start");
  });
});
