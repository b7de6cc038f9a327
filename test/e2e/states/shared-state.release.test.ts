/** State that a team shares: in a bucket of a server that is not ours. */
import { describeWithForeignBucket } from "../../../emulator/test/support/bucket/foreign-bucket";
import { foreignBucket } from "../support/buckets";
import { endOrphans } from "../support/cli/cli";
import { steps } from "../support/cli/events";
import { agentSource } from "../support/programs/program";
import { World } from "../support/world";

const world = new World();

describeWithForeignBucket("a state in a bucket", () => {
  let bucket: Awaited<ReturnType<typeof foreignBucket>>;
  beforeAll(async () => {
    bucket = await foreignBucket();
  });
  afterAll(() => bucket.stop());

  test("is locked by a run that was killed, and an older version is restored without a change", async () => {
    // As docs/pipelines.md writes it.
    const place = "s3://exports?endpoint={host}&disableSSL=true&s3ForcePathStyle=true&region=us-east-1";
    const env = {
      PULUMI_BACKEND_URL: place.replace("{host}", new URL(bucket.url).host),
      AWS_ACCESS_KEY_ID: bucket.accessKeyId,
      AWS_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    };
    const stack = await world.stack({ project: "shared", env });
    await stack.program.write(agentSource());
    const running = await world.startUpAndHold(stack);
    await running.kill();
    endOrphans();
    await world.emulator.faults.clear();
    expect((await stack.up()).output).toContain("the stack is currently locked by 1 lock(s)");
    await stack.runOrThrow("cancel", "--yes");
    expect(await stack.up()).toMatchObject({ code: 0 });
    await stack.program.file("backup.json", await stack.runOrThrow("stack", "export"));
    await stack.program.write(agentSource({ image: "registry.example.com/agent:2.0.0" }));
    expect(await stack.up()).toMatchObject({ code: 0 });

    await stack.runOrThrow("stack", "import", "--file", "backup.json");
    await world.requests();
    expect(steps(await stack.up())).toEqual(["update agent"]);
    expect(world.writes()).toEqual([]);
    expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });
    await world.destroyCompletely(stack);
  });
});
