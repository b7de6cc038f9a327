import { runCommand } from "../../../cli/shared/command";

test("the output of a command may be as large as the state of a large stack", async () => {
  const script = 'process.stdout.write("x".repeat(20_000_000))';
  const { outcome, stdout } = await runCommand(process.execPath, ["-e", script], { folder: __dirname, env: {} });
  expect([outcome, stdout.length]).toEqual(["ok", 20_000_000]);
});
