import { execFileSync } from "node:child_process";
import { join } from "node:path";

const PROGRAM = `
  const pulumi = require("@pulumi/pulumi");
  const early = Object.keys(require.cache).filter((file) => /typescript\\.js$|arborist|js-yaml/.test(file)).length;
  pulumi.runtime.serializeFunction((a) => a + 1).then(({ text }) => console.log(JSON.stringify({ early, text })));`;

/** @param options Options of Node.js. */
function run(...options: string[]): { early: number; text: string } {
  const env = { ...process.env, NODE_OPTIONS: "" };
  const output = execFileSync(process.execPath, [...options, "-e", PROGRAM], { env, encoding: "utf8", stdio: "pipe" });
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}

test("a program starts without the parts of the SDK that it does not use, and gets the same result", () => {
  const [usual, lazy] = [run(), run(`--require=${join(__dirname, "lazy-sdk.cjs")}`)];
  expect(usual.early).toBeGreaterThan(0);
  expect(lazy).toEqual({ early: 0, text: usual.text });
});
