/** Ctrl-C: the engine sends Cancel, and an operation that waits ends at once with what exists. */
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { type SampleKind, sampleKinds } from "../../provider/resources/all/kinds";
import { dockerDeployment, withImage } from "../../support/deployments/inputs";
import { fromStruct } from "../../support/hosts/plugin-client";
import { PluginLife, startLife } from "../support/life";

test("A create that waits for a rollout ends at once, keeps the deployment, and the next up resumes it", async () => {
  const { platform, life } = await startLife();
  platform.duringNextWait(async () => {
    await life.plugin.call("cancel", new Empty());
    await new Promise(() => {});
  });
  await expect(life.create(dockerDeployment())).rejects.toThrow(/Deployment "agent".*[Cc]anceled/s);
  const [message = ""] = life.texts.slice(-1);
  expect(message).toContain("pulumi up");
  const sent = platform.requests();
  expect(life.id).toBe((await platform.deployments())[0]?.id);
  expect(fromStruct(life.state)).toMatchObject({ ...dockerDeployment(), __unready: true });

  const next = (await PluginLife.start(platform)).continue(life);
  await next.update(dockerDeployment());
  expect(fromStruct(next.state).__unready).toBeUndefined();
  expect(
    platform
      .requests()
      .slice(sent.length)
      .filter((request) => request.startsWith("POST")),
  ).toEqual([]);
  expect(await platform.deployments()).toHaveLength(1);
});

test("An operation that begins after the cancellation ends before its first wait and keeps what exists", async () => {
  const { platform, life } = await startLife();
  await life.create(dockerDeployment());
  await life.plugin.call("cancel", new Empty());
  await expect(life.update(dockerDeployment(withImage("2")))).rejects.toThrow("anceled");
  const next = (await PluginLife.start(platform)).continue(life);
  await next.update(dockerDeployment(withImage("2")));
  expect((await platform.getDeployment(next.id)).revisions).toHaveLength(2);
});

test.each([
  ["BulkExport", { filter: "eq(is_root, true)" }],
  ["ScheduledBulkExport", { filter: "eq(is_root, true)" }],
  ["BulkExportDestination", { displayName: "other" }],
])(
  "A create of a %s that has only a warning left to wait for ends at once, with the object in state",
  async (kind, change) => {
    const { platform, declared } = await (sampleKinds[kind] as SampleKind).start();
    await (await PluginLife.start(platform, kind)).create({ ...declared, ...change });
    const life = await PluginLife.start(platform, kind);
    let isCanceled = false;
    platform.duringNextWait(async () => {
      isCanceled = true;
      await life.plugin.call("cancel", new Empty());
      await new Promise(() => {});
    });
    await life.create(declared);
    expect(isCanceled).toBe(true);
    expect(life.texts.join()).not.toContain("left it behind");
    const next = (await PluginLife.start(platform, kind)).continue(life);
    expect((await next.diff(declared)).getChanges()).toBe(1);
  },
);
