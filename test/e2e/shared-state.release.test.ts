/** State that a team shares: in a bucket of a server that is not ours. Two of them run the same stack at once. */
import { describeWithForeignBucket } from "../../emulator/test/support/bucket/foreign-bucket";
import { foreignBucket } from "./support/buckets";
import { endOrphans } from "./support/cli";
import { steps } from "./support/events";
import { agentSource } from "./support/program";
import { waitUntil } from "./support/wait-until";
import { World } from "./support/world";

const world = new World();

describeWithForeignBucket("a state in a bucket", () => {
  let bucket: Awaited<ReturnType<typeof foreignBucket>>;
  beforeAll(async () => {
    bucket = await foreignBucket();
  });
  afterAll(() => bucket.stop());

  /** Creates a stack with a deployment of the same name. */
  async function stackOf(project: string) {
    // As docs/pipelines.md writes it.
    const place = "s3://exports?endpoint={host}&disableSSL=true&s3ForcePathStyle=true&region=us-east-1";
    const env = {
      PULUMI_BACKEND_URL: place.replace("{host}", new URL(bucket.url).host),
      AWS_ACCESS_KEY_ID: bucket.accessKeyId,
      AWS_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    };
    const stack = await world.stack({ project, env });
    await stack.program.write(agentSource({ name: project }));
    return stack;
  }

  test("the second of two concurrent ups fails with the reason, and nothing is created twice", async () => {
    const stack = await stackOf("shared");
    await world.emulator.faults.add({ hold: { status: "DEPLOYING" } });
    const first = stack.startUp();
    await waitUntil(
      () => world.emulator.requestLog.count({ method: "GET", path: "/v2/deployments/*/revisions/*" }) > 0,
      () => "the provider to look at the revision",
    );
    const second = await stack.up();
    expect(second.code).not.toBe(0);
    expect(second.output).toContain("the stack is currently locked by 1 lock(s)");

    await world.emulator.faults.clear();
    const done = await first.waitForExit();
    expect(done).toMatchObject({ code: 0 });
    expect(steps(done)).toEqual(["create agent"]);
    expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });
    const [created, ...others] = await world.deployments();
    expect(others).toEqual([]);
    expect((await world.getDeployment(created?.id ?? ""))?.revisions).toHaveLength(1);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });

  test("a run that is killed leaves the state locked; after `pulumi cancel`, the next up continues", async () => {
    const stack = await stackOf("killed");
    const running = await world.startUpAndHold(stack);
    await running.kill();
    endOrphans();
    await world.emulator.faults.clear();
    expect((await stack.up()).output).toContain("the stack is currently locked by 1 lock(s)");
    await stack.runOrThrow("cancel", "--yes");
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await world.deployments()).toHaveLength(1);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });

  test("an older version of the state is restored, and the next up changes nothing that is already as declared", async () => {
    const stack = await stackOf("restored");
    expect(await stack.up()).toMatchObject({ code: 0 });
    await stack.program.file("backup.json", await stack.runOrThrow("stack", "export"));
    await stack.program.write(agentSource({ name: "restored", image: "registry.example.com/agent:2.0.0" }));
    expect(await stack.up()).toMatchObject({ code: 0 });

    await stack.runOrThrow("stack", "import", "--file", "backup.json");
    await world.requests();
    expect(steps(await stack.up())).toEqual(["update agent"]);
    expect(world.writes()).toEqual([]);
    expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await world.deployments()).toEqual([]);
  });
});
