/** A secret that the user gives as plain text is a secret from then on, wherever one looks. */
import { agent } from "./support/program";
import { API_KEY, World } from "./support/world";

const world = new World();

const value = "a-very-secret-model-key";
const multiline = '-----BEGIN KEY-----\n"quoted" line of a key\n-----END KEY-----';

test("secrets stay out of state, history, events, output, outputs and errors", async () => {
  const stack = await world.stack({ project: "secrets" });
  delete stack.env.AGENTGRAPH_API_KEY;
  await stack.must("config", "set", "--secret", "agentgraph:apiKey", API_KEY);
  await stack.program.write(
    `${agent({ secrets: { MODEL_KEY: value, CERTIFICATE: multiline } })}\nexports.secrets = agent.secrets;`,
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
    await stack.command("stack", "output", "--json"),
    await stack.command("stack", "export"),
  ];
  expect(runs.map(({ code }) => code === 0)).toEqual([true, false, true, true, true, true]);
  expect(runs[1]?.output).toContain("starting with [secret]");

  const seen = [...runs.map(({ output, events }) => output + JSON.stringify(events)), await stack.kept()].join("\n");
  for (const secret of [value, "line of a key", "BEGIN KEY", API_KEY]) expect(seen).not.toContain(secret);
  expect(seen).toContain("MODEL_KEY");

  // The service got them all the same.
  const id = (await stack.resources()).get("agent")?.id ?? "";
  expect(await world.look(id)).toMatchObject({
    secrets: expect.arrayContaining([
      { name: "MODEL_KEY", value },
      { name: "CERTIFICATE", value: multiline },
    ]),
  });
});
