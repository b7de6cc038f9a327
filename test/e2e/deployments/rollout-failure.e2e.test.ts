import type { CommandResult } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { messagesOf } from "../support/cli/events";
import { agentSource, IMAGE } from "../support/programs/program";
import { API_KEY, World } from "../support/world";

const world = new World();
let stack: CliStack;
let id: string;
const runs: CommandResult[] = [];

const value = "a-model-key-that-a-log-prints";
const multiline = '-----BEGIN KEY-----\n"quoted" line of a key\n-----END KEY-----';

const token = "a-very-secret-token";

/** Declares the deployment, another one whose creation may take a second, and a destination. */
function declare(sessionToken?: string): Promise<void> {
  const { url: endpointUrl, accessKeyId, secretAccessKey } = world.emulator.bucket;
  const destination = {
    ...{ destinationType: "s3", displayName: "traces", config: { bucketName: "exports", endpointUrl } },
    credentials: { accessKeyId, secretAccessKey, sessionToken },
  };
  return stack.program.write(
    `${agentSource({ secrets: { MODEL_KEY: value, CERTIFICATE: multiline } })}
    exports.secrets = agent.secrets;
    new agentgraph.Deployment("slow", { source: "external_docker", sourceRevisionConfig: { imageUri: "${IMAGE}" } },
      { customTimeouts: { create: "1s" } });
    const traces = new agentgraph.BulkExportDestination("traces", ${JSON.stringify(destination)});
    exports.key = traces.credentials; exports.names = traces.credentialsKeys;`,
  );
}

async function up(...args: string[]): Promise<CommandResult> {
  await world.requests();
  const run = await stack.up(...args);
  runs.push(run);
  return run;
}

const revisions = async () => (await world.getDeployment(id))?.revisions ?? [];

beforeAll(async () => {
  stack = await world.stack({ project: "failure", env: { AGENTGRAPH_STREAM_LOGS: "slow", ...world.tracing } });
  await declare();
});

test("a failed first revision is reported with IDs and log, a timeout with what to do, and both stay", async () => {
  delete stack.env.AGENTGRAPH_API_KEY;
  await stack.runOrThrow("config", "set", "--secret", "agentgraph:apiKey", API_KEY);
  const logs = [`the key ${value} was refused by the model`, `and ${multiline}`, `as ${JSON.stringify(multiline)}`];
  await world.emulator.faults.add({ revision: { deployment: "agent", ends: "DEPLOY_FAILED", logs } });
  await world.emulator.faults.add({ hold: { deployment: "slow", status: "DEPLOYING" } });
  const run = await up("--continue-on-error");
  await world.emulator.faults.clear();
  expect(run.code).not.toBe(0);
  id = (await world.deployments()).find(({ name }) => name === "agent")?.id ?? "";
  const [failed] = await revisions();
  expect(failed).toMatchObject({ status: "DEPLOY_FAILED" });

  expect(run.output).toMatch(/Deployment "agent": revision rollout failed with DEPLOY_FAILED after \d+ s\./);
  // The row of the error itself says "1 error occurred".
  expect(run.output).toMatch(/Deployment agent creating \(.*\) failed with DEPLOY_FAILED after \d+ s/);
  expect(run.output).toContain(`deployment ${id}`);
  expect(run.output).toContain(`revision   ${failed?.id}`);
  expect(run.output).toContain("ERROR the key [secret] was refused by the model");
  expect(run.output).toContain("Fix the cause and run `pulumi up` again.");
  expect(messagesOf(run, "agent").join("\n")).not.toMatch(/\n\s+at /);
  expect(run.output).toMatch(/Deployment "slow": revision rollout did not finish within \d s \(DEPLOYING\)/);
  expect(run.output).toContain("Run `pulumi up` again to keep waiting");
  // The log of the named deployment, each line once and in order.
  const lines = [...run.output.matchAll(/Deployment (\w+) creating \(.*\) deploy \| (.*)/g)].map(([, ...row]) => row);
  expect(lines.slice(0, 3)).toEqual([
    ["slow", expect.stringMatching(/^Step 1\/5: queued the rollout of slow/)],
    ["slow", expect.stringMatching(/^Revision /)],
    ["slow", expect.stringMatching(/^Step 2\/5: pulling /)],
  ]);
  expect(new Set(lines.map(([, line]) => line)).size).toBe(lines.length);
  expect((await stack.resources()).get("agent")).toMatchObject({ id, initErrors: [expect.stringContaining(id)] });
});

test("the next up makes one more attempt, waits for the other deployment, and rotates the credentials", async () => {
  const destination = (await stack.resources()).get("traces")?.id;
  await declare(token);
  const run = await up();
  expect(run).toMatchObject({ code: 0 });
  expect(world.writes().sort()).toEqual([
    `PATCH /api/v1/bulk-exports/destinations/${destination}`,
    expect.stringMatching(`^POST /v2/deployments/${id}/revisions/[^/]+/redeploy$`),
  ]);
  expect(messagesOf(run, "traces")).toContain("in place: credentials");
  expect(messagesOf(run, "agent").join()).toContain("retrying it once with the same configuration");
  expect(await revisions()).toMatchObject([{ status: "DEPLOYED" }, { status: "DEPLOY_FAILED" }]);
  expect((await stack.resources()).get("agent")).toMatchObject({ id });
  const slow = (await stack.resources()).get("slow")?.id ?? "";
  expect((await world.getDeployment(slow))?.revisions).toMatchObject([{ status: "DEPLOYED" }]);
});

test("secrets appear in no state, history, event, output or error, and the server received them", async () => {
  runs.push(
    await stack.refresh("--diff"),
    await stack.run("stack", "output", "--json"),
    await stack.run("stack", "export"),
  );
  for (const { code } of runs.slice(-3)) expect(code).toBe(0);
  const everything = [
    ...runs.map(({ output, events }) => output + JSON.stringify(events)),
    await stack.readBackend(),
  ].join("\n");
  const { accessKeyId, secretAccessKey } = world.emulator.bucket;
  for (const secret of [value, "line of a key", "BEGIN KEY", API_KEY, token, accessKeyId, secretAccessKey])
    expect(everything).not.toContain(secret);
  for (const name of ["MODEL_KEY", "session_token"]) expect(everything).toContain(name);
  expect(await world.getDeployment(id)).toMatchObject({
    secrets: expect.arrayContaining([
      { name: "MODEL_KEY", value },
      { name: "CERTIFICATE", value: multiline },
    ]),
  });
});
