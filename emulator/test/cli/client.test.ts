/** Which emulator a command of its line is for, and what it says when there is none. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { command, type Outcome, run } from "../support/command";
import { newFolder } from "../support/folder";

/** Long enough for a process or two on a busy machine. */
jest.setTimeout(30_000);

describe("the emulator that a command connects to", () => {
  const nobody = "http://127.0.0.1:9";
  const where = ({ stdout }: Outcome) => JSON.parse(stdout).url;
  const list = ["faults", "--json"];

  test("is selected by options, then by the environment, then by the current folder", async () => {
    const emulator = await run();
    const { port } = new URL(emulator.url);
    const env = { AGENTGRAPH_CONTROL_PLANE_URL: nobody };
    expect(where(await command([...list, "--url", `${emulator.url}/`], env))).toBe(emulator.url);
    expect(where(await command([...list, "--port", port], env))).toBe(emulator.url);
    expect(where(await command(list, { AGENTGRAPH_CONTROL_PLANE_URL: emulator.url }))).toBe(emulator.url);

    const folder = newFolder();
    const started = await command(["start", "--port", "0"], {}, folder);
    try {
      const [, url] = /running at (\S+)/.exec(started.stdout) ?? [];
      expect(where(await command(list, {}, folder))).toBe(url);
      expect(where(await command([...list, "--data", `${folder}/.agentgraph/emulator`], env))).toBe(url);
    } finally {
      await command(["stop"], {}, folder);
    }
    const stopped = await command([...list, "--data", folder]);
    expect(stopped).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: No emulator is running with the data folder /),
    });
  });

  test("a stopped emulator is reported with the next step", async () => {
    const emulator = await run();
    await emulator.end();
    for (const words of [["reset"], ["advance", "1s"], ["faults"], ["logs", "--follow"]]) {
      const { code, stdout, stderr } = await command([...words, "--url", emulator.url]);
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: "",
        stderr: `error: No emulator is running at ${emulator.url}: ECONNREFUSED. Start one with "agentgraph-emulator start", or set its URL with --url.\n`,
      });
    }
  });

  test("another server receives no requests after the health check", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('{"status":"ok"}');
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const { code, stderr } = await command(["reset"], { AGENTGRAPH_CONTROL_PLANE_URL: url });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining(`${url} (from AGENTGRAPH_CONTROL_PLANE_URL) is not an emulator`),
      });
      expect(asked).toEqual(["GET /_emulator/health"]);
    } finally {
      server.close();
    }
  });

  test.each(["https://api.example", "http://user:word@127.0.0.1:9", "7420"])("refuses the address %s", async (url) => {
    const { code, stderr } = await command(["reset", "--url", url]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("Invalid emulator URL") });
    expect(stderr).not.toContain("word");
  });

  test("options of a start are not taken silently", async () => {
    const { code, stderr } = await command(["reset", "--demo"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("--demo is an option of the start"),
    });
  });
});
