/**
 * examples/aws-export and its rotation of keys: with the real package and engine, a provider that stands in for that of
 * AWS, and a bucket that records which key does what.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeWithTools } from "../../support/tools";
import { fails, succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { messagesOf } from "../support/cli/events";
import { completedSteps, installProviders, useStandIn } from "../support/programs/other-providers";
import { Program } from "../support/programs/program";
import { DAY_MS } from "../support/traces";
import { waitUntil } from "../support/wait-until";
import { World } from "../support/world";
import { RecordingBucket } from "./recording-bucket";

const world = new World();

const since = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);

/** Lets a program use a bucket on this machine instead of one on AWS. */
async function useBucket(program: Program, file: string, [region, endpoint]: [string, string]): Promise<void> {
  const source = await readFile(join(program.folder, file), "utf8");
  expect(source).toContain(region);
  await program.file(file, source.replace(region, endpoint));
}

/** Creates the stack of an example that exports a project with one run of yesterday. */
async function stackOf(example: string, program: Program, env: Record<string, string>): Promise<CliStack> {
  const run = { name: "turn", start_time: `${since}T00:30:00Z`, is_root: true };
  const { session_id: projectId } = await world.emulator.loadRuns({ project: "support" }, [run]);
  const settings = { program, backend: `state-${example}`, env: { ...world.tracing, ...env } };
  const stack = await world.stack({ project: `agentgraph-${example}`, ...settings });
  const values = Object.entries({ key: "1", projectId, since });
  await stack.runOrThrow("config", "set-all", ...values.flatMap((pair) => ["--plaintext", pair.join("=")]));
  return stack;
}

describeWithTools("examples/aws-export", ["providers", "stand-in"], (tools) => {
  const bucket = new RecordingBucket();
  const finishUploads = bucket.holdFiles();
  let stack: CliStack;

  beforeAll(async () => {
    const modules = await installProviders(world, tools.providers);
    const program = await Program.copy("aws-export", await world.createFolder("aws-export"), modules);
    await useStandIn(program, tools["stand-in"]);
    await useBucket(program, "index.ts", ["region }", `endpointUrl: "${await bucket.start()}" }`]);
    stack = await stackOf("aws-export", program, { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
  });
  afterAll(() => bucket.stop());

  const resource = async (name: string) =>
    (await stack.state()).deployment.resources?.find(({ urn }) => urn.endsWith(`::${name}`));
  const keyId = async (name: number) => (await resource(`exporter-${name}`))?.id ?? "";
  const configure = (...args: string[]) => stack.runOrThrow("config", ...args);

  /** Returns the IDs of the keys that were used since the last call. */
  const usedKeys = () => [...new Set(bucket.accesses.splice(0).map((access) => access.keyId))];

  test("allows what the server does in the bucket, from its test of the credentials on, and little more", async () => {
    const created = await succeeds(stack.up());
    const order = completedSteps(created);
    expect(order.slice(-2)).toEqual(["create lake", "create nightly"]);
    expect(order.filter((step) => step === "create exporter")).toHaveLength(2);
    await waitUntil(
      () => bucket.accesses.some(({ arn }) => arn.endsWith(".parquet")),
      () => "the first file",
    );
    const { inputs } = await userPolicy();
    const [first] = bucket.accesses;
    const allowed = inputs.policy.Statement.map(({ Action, Resource }) => `${Action} ${Resource}`);
    const arn = first?.arn.split("/")[0];
    expect(allowed).toEqual([
      `s3:PutObject ${arn}/agents/*`,
      `s3:AbortMultipartUpload ${arn}/agents/*`,
      `s3:DeleteObject ${arn}/agents/tmp/*`,
    ]);
    const performed = bucket.accesses.map((access) => `${access.action} ${access.arn}`);
    const isAllowed = (access: string) => allowed.some((statement) => access.startsWith(statement.slice(0, -1)));
    expect(performed.filter((access) => !isAllowed(access))).toEqual([]);
    expect(performed.map((access) => access.split(" ")[0])).toEqual([
      "s3:PutObject",
      "s3:DeleteObject",
      "s3:PutObject",
    ]);
    expect(usedKeys()).toEqual([await keyId(1)]);
  });

  async function userPolicy() {
    const all = (await stack.state()).deployment.resources ?? [];
    const policy = all.find(({ type }) => type === "aws:iam/userPolicy:UserPolicy");
    return policy as unknown as { inputs: { policy: { Statement: { Action: string; Resource: string }[] } } };
  }

  /** Returns the statuses of the runs of the scheduled export. */
  async function runStatuses(): Promise<string[]> {
    const query = `source_bulk_export_id=${(await resource("nightly"))?.id}`;
    const runs = await world.call<{ status: string }[]>("GET", `/api/v1/bulk-exports/runs?${query}`);
    return runs.map(({ status }) => status);
  }

  test("keeps the previous key for the upload in progress, until it is removed from the configuration", async () => {
    const previous = await keyId(1);
    await configure("set-all", "--plaintext", "previousKey=1", "--plaintext", "key=2");
    const preview = await stack.preview();
    expect(messagesOf(preview, "lake")).toEqual(["in place: credentials"]);
    expect(JSON.stringify(preview.events)).not.toMatch(/[0-9a-f]{40}"/);
    const rotated = await stack.up();
    expect(completedSteps(rotated)).toEqual(["create exporter-2", "update lake"]);
    expect(await keyId(1)).toBe(previous);
    expect(usedKeys()).toEqual([await keyId(2)]);
    expect(await runStatuses()).toEqual(["RUNNING"]);
    finishUploads();
    await waitUntil(
      async () => (await runStatuses()).every((status) => status === "COMPLETED"),
      () => "the export that began with the previous key",
    );

    await configure("rm", "previousKey");
    expect(completedSteps(await stack.up())).toEqual(["delete exporter-1"]);
    expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });
    expect(usedKeys()).toEqual([]);
  });

  test("keeps a key that is in use if the bucket rejects the new one, also without the previous key", async () => {
    const previous = await keyId(2);
    await configure("set", "key", "3");
    bucket.rejectsNewKeys = true;
    const failed = await fails(stack.up());
    expect(messagesOf(failed, "lake").join()).toContain("The store does not recognize this access key.");
    expect(completedSteps(failed)).toEqual(["create exporter-3"]);
    expect(await keyId(2)).toBe(previous);

    bucket.rejectsNewKeys = false;
    expect(completedSteps(await stack.up())).toEqual(["update lake", "delete exporter-2"]);
  });

  test("shows no secret of the other provider, and deletes the destination before key and policy", async () => {
    const shown = await stack.runOrThrow("stack", "export", "--show-secrets");
    const secrets = [...shown.matchAll(/"secret(?:AccessKey)?": \{[^}]*"plaintext": "\\"(\w+)/g)].map(
      ([, value]) => value,
    );
    expect(new Set(secrets).size).toBe(1);
    const unchanged = await stack.up();
    const output = unchanged.output + JSON.stringify(unchanged.events) + (await stack.run("stack", "export")).output;
    expect(output + (await stack.readBackend())).not.toContain(secrets[0]);
    const destroyed = completedSteps(await stack.destroy());
    expect(destroyed.indexOf("delete lake")).toBeLessThan(destroyed.indexOf("delete exporter-3"));
    expect(destroyed.indexOf("delete lake")).toBeLessThan(destroyed.indexOf("delete exporter"));
  });
});
