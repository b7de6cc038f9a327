import { agentEntry, ask, deploy, logOf, startWith, until, untilEnded } from "../support/agents/agents";
import { createDeployment, docker, rolloutMs, statuses } from "../support/emulator";

jest.setTimeout(240_000);

it("An agent that prints a million lines stays available, and its log keeps the newest lines", async () => {
  const lines = 1_000_000;
  const client = await startWith([agentEntry("", { environment: { MODE: "", LINES: String(lines) } })], {
    limits: { log_lines: 1000 },
  });
  const id = await deploy(client);
  const before = process.memoryUsage().rss;
  expect((await ask(client, id, "/lines"))?.version).toBe("1");
  const log = await until(async () => {
    const found = await logOf(client, id);
    return found.at(-1) === `line ${lines}` ? found : undefined;
  });
  expect(log).toHaveLength(1000);
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
});

it("Twenty agents are deployed at once, respond each for itself, and end with the emulator", async () => {
  const client = await startWith([agentEntry()]);
  const secrets = (n: number) => ({ secrets: [{ name: "VERSION", value: `version-${n}` }] });
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  const created = await Promise.all(numbers.map((n) => createDeployment(client, docker(`agent-${n}`, secrets(n)))));
  await client.advance(rolloutMs);
  const answers = await Promise.all(created.map(({ id }) => ask(client, id)));
  expect(answers.map((answer) => answer?.version)).toEqual(numbers.map((n) => `version-${n}`));
  for (const { id } of created) expect(await statuses(client, id)).toEqual(["DEPLOYED"]);
  expect(new Set(answers.map((answer) => answer?.pid)).size).toBe(20);
  await client.emulator.stop();
  for (const answer of answers) await untilEnded(answer?.pid ?? 0);
});
