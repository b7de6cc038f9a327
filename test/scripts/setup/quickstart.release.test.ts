/** `npm run up` where something that it needs is missing or in use. */
import { existsSync } from "node:fs";
import { expectOneSentence, inCheckout, testInCheckout } from "../checkout";

describe("the quickstart", () => {
  test.each([
    [["--port", "soon"], /"soon" is not a valid port/],
    [["--port=70000"], /"70000" is not a valid port/],
    [["--prot", "7520"], /^Unknown option '--prot'\. See `npm run up -- --help`\.$/],
    [["7520"], /^Unexpected argument '7520'/],
    [["--agent", "/no-such-folder"], /^--agent and --start are used together: `npm run up -- --agent/],
    [["--agent", ".", "--start", "x", "--timeout", "soon"], /^"soon" is not a valid timeout/],
    [["--graph", "a"], /^--agent and --start are used together/],
    [
      ["--agent", "/no-such-folder", "--start", "node a.js"],
      /^The folder \/no-such-folder does not exist\. Set --agent/,
    ],
  ])("rejects %j before the set-up", (args, sentence) =>
    inCheckout(async (checkout) => {
      expectOneSentence(await checkout.node(["scripts/run.mjs", "up", ...args]), sentence);
    })(),
  );

  test.each([
    ["up", "npm run up", "--port <number>      port of the emulator"],
    ["down", "npm run down", "--help  show this help"],
    ["test", "npm test", "--release        run the release tests as well"],
    ["bench", "npm run bench", "--scale  measure 1, 10 and 100"],
  ])("%s shows its help without a set-up", (name, command, line) =>
    inCheckout(async (checkout) => {
      for (const flag of ["--help", "-h"]) {
        const { code, output } = await checkout.node(["scripts/run.mjs", name, flag]);
        expect(output).toMatch(new RegExp(`^Usage: ${command} \\[-- <options>\\]\n`));
        expect(output).toContain(`\n  ${line}`);
        expect(code).toBe(0);
      }
      expect(existsSync(checkout.cache)).toBe(false);
    })(),
  );

  testInCheckout("keeps its port until npm run down", async (checkout) => {
    checkout.write(".agentgraph/port", "7500\n");
    expectOneSentence(
      await checkout.node(["scripts/run.mjs", "up", "--port", "7600"]),
      /is running on port 7500\. Run `npm run down`/,
    );
  });
});
