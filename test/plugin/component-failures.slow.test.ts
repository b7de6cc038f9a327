/** Errors of components that nothing awaits, in a process of their own: the test's would end. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const FAILURES = join(__dirname, "../../dist/plugin/component/failures.js");

/** Runs statements that print, with what they have in common. */
async function run(statements: string): Promise<{ stdout: string; code: unknown }> {
  const program = `const { RequestFailures } = require(${JSON.stringify(FAILURES)});
const failures = new RequestFailures(({ message }) => console.log("otherwise " + message));
const turn = () => new Promise(setImmediate);
const turns = async (count) => { for (let i = 0; i < count; i++) await turn(); };
const show = (name, request) =>
  request.then(() => console.log(name + " done"), (error) => console.log(name + " " + error.message));
const reject = (message) => void Promise.reject(new Error(message));
(async () => { ${statements} })();`;
  const result = promisify(execFile)(process.execPath, ["-e", program]);
  return result.then(
    ({ stdout }) => ({ stdout, code: 0 }),
    ({ stdout, code }: { stdout: string; code: unknown }) => ({ stdout, code }),
  );
}

test("An error that nothing awaits fails the request that caused it, and no other", async () => {
  const { stdout, code } = await run(`
    const good = show("good", failures.of(() => turns(20)));
    const bad = show("bad", failures.of(async () => { await turns(3); reject("of its child"); await turns(20); }));
    const thrown = show("thrown", failures.of(async () => {
      setImmediate(() => { throw new Error("in a callback"); });
      await turns(20);
    }));
    const call = show("call", failures.ofCall(() => new Promise(() => {
      setImmediate(() => { throw new Error("in a call"); });
    })));
    await Promise.all([good, bad, thrown, call]);`);
  const lines = ["bad of its child", "call in a call", "good done", "thrown in a callback"];
  expect(stdout.trim().split("\n").sort()).toEqual(lines);
  expect(code).toBe(0);
});

test("An error of a resource that the engine did not create fails no request: the engine has shown why", async () => {
  const { stdout, code } = await run(`
    await show("partial", failures.of(async () => {
      reject('error serializing property "id": resource bad [agentgraph:index:Deployment] failed to register');
      await turns(20);
    }));`);
  expect(stdout).toBe("partial done\n");
  expect(code).toBe(0);
});

test("An error without a request fails all that are in flight, and is only reported if there are none", async () => {
  const { stdout, code } = await run(`
    const both = ["one", "two"].map((name) => show(name, failures.of(() => turns(20))));
    reject("from outside");
    await Promise.all(both);
    reject("later");
    await turns(20);
    console.log("still alive");`);
  const lines = ["one from outside", "otherwise later", "still alive", "two from outside"];
  expect([code, stdout.trim().split("\n").sort()]).toEqual([0, lines]);
});
