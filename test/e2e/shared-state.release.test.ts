/** State that a team shares: in a bucket of a server that is not ours. Two of them run the same stack at once. */
import { describeWithForeignBucket } from "../../emulator/test/support/bucket/foreign-bucket";
import { foreignBucket } from "./support/buckets";
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

  test("the second of two concurrent ups fails with the reason, and nothing is created twice", async () => {
    // As docs/pipelines.md writes it.
    const place = "s3://exports?endpoint={host}&disableSSL=true&s3ForcePathStyle=true&region=us-east-1";
    const env = {
      PULUMI_BACKEND_URL: place.replace("{host}", new URL(bucket.url).host),
      AWS_ACCESS_KEY_ID: bucket.accessKeyId,
      AWS_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    };
    const stack = await world.stack({ project: "shared", env });
    await stack.program.write(agentSource({ name: "shared" }));
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
});
