/** A secret that the user gives as plain text is a secret from then on, wherever one looks. */
import { agentSource } from "./support/program";
import { API_KEY, World } from "./support/world";

const world = new World();

const value = "a-very-secret-model-key";
const multiline = '-----BEGIN KEY-----\n"quoted" line of a key\n-----END KEY-----';

test("secrets appear in no state, history, event, command output, stack output or error", async () => {
  const stack = await world.stack({ project: "secrets" });
  delete stack.env.AGENTGRAPH_API_KEY;
  await stack.runOrThrow("config", "set", "--secret", "agentgraph:apiKey", API_KEY);
  await stack.program.write(
    `${agentSource({ secrets: { MODEL_KEY: value, CERTIFICATE: multiline } })}\nexports.secrets = agent.secrets;`,
  );
  await world.emulator.faults.add({
    revision: {
      ends: "DEPLOY_FAILED",
      logs: [`starting with ${value}`, `and ${multiline}`, `as ${JSON.stringify(multiline)}`],
    },
  });
  const runs = [
    await stack.preview("--diff"),
    await stack.up(),
    await stack.up(),
    await stack.refresh("--diff"),
    await stack.run("stack", "output", "--json"),
    await stack.run("stack", "export"),
  ];
  expect(runs.map(({ code }) => code === 0)).toEqual([true, false, true, true, true, true]);
  expect(runs[1]?.output).toContain("starting with [secret]");
  // The row of the error itself says "1 error occurred".
  expect(runs[1]?.output).toMatch(/Deployment agent creating \(.*\) failed with DEPLOY_FAILED after \d+ s/);

  const everything = [
    ...runs.map(({ output, events }) => output + JSON.stringify(events)),
    await stack.readBackend(),
  ].join("\n");
  for (const secret of [value, "line of a key", "BEGIN KEY", API_KEY]) expect(everything).not.toContain(secret);
  expect(everything).toContain("MODEL_KEY");

  // The server received the secrets nevertheless.
  const id = (await stack.resources()).get("agent")?.id ?? "";
  expect(await world.getDeployment(id)).toMatchObject({
    secrets: expect.arrayContaining([
      { name: "MODEL_KEY", value },
      { name: "CERTIFICATE", value: multiline },
    ]),
  });
});
