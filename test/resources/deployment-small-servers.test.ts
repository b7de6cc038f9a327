/** Services that lack what the interface does not promise: what is missing is said, and never taken for gone. */
import { deploymentOf, docker, image, listener } from "../support/docker";
import { failureOf } from "../support/door";
import { startPlatform } from "../support/platform";
import { Stack } from "../support/stack";

const REDEPLOY = "POST /v2/deployments/{id}/revisions/{id}/redeploy";
const moved = docker({ sourceConfig: { listenerId: listener } });

describe.each([{ without: ["delete"] }, { interfaceOnly: true }])("on a service of %j", (options) => {
  it("a destroy drops the deployment from state, and warns by name that it still runs", async () => {
    const platform = await startPlatform(options);
    const stack = new Stack(platform);
    await stack.up(docker());
    const { id } = deploymentOf(stack);
    await stack.destroy();
    expect(stack.held).toBeUndefined();
    expect(stack.rows.at(-1)).toBe(
      `warn: This service has no way to delete a deployment, so ${id} ("agent") still runs there; it is only dropped from this stack's state. Remove it by hand.`,
    );
    expect((await platform.look(id)).status).toBe("READY");
  });

  it.each([
    ["of what cannot change", moved],
    ["that was asked for by name", docker()],
  ])("a replacement %s fails and says that the name never comes free", async (_what, declared) => {
    const platform = await startPlatform(options);
    const stack = new Stack(platform);
    await stack.up(docker());
    const { id, outputs } = deploymentOf(stack);
    const host = stack.host();
    await host.delete(id, outputs);
    stack.held = undefined;
    const { message } = await failureOf(stack.up(declared, host));
    expect(message).toContain(id);
    expect(message).toMatch(/cannot delete.*never come free.*another name/s);
    expect(await platform.deployments()).toHaveLength(1);
    expect(platform.requests({ method: "POST" })).toHaveLength(1);
    expect(await stack.up({ ...declared, name: "other" })).toBe("create");
  });
});

it.each([404, 405, 501])(
  "a delete that is answered %i looks whether the route or the deployment is missing",
  async (status) => {
    const platform = await startPlatform();
    const [kept, gone] = [new Stack(platform), new Stack(platform, { name: "gone" })];
    await kept.up(docker());
    await gone.up(docker({ name: "gone" }));
    await platform.emulator.faults.add({ method: "DELETE", status, times: 1 });
    await kept.destroy();
    expect(kept.rows.at(-1)).toMatch(/^warn: .*no way to delete/);
    await platform.emulator.faults.add({ method: "DELETE", status, act: true });
    gone.rows.length = 0;
    await gone.destroy();
    expect(gone.rows.join("\n")).not.toContain("no way to delete");
    expect((await platform.deployments()).map(({ name }) => name)).toEqual(["agent"]);
  },
);

describe("where a revision cannot be deployed again by its own route", () => {
  it.each([{ without: ["redeploy"] }, { without: ["redeploy", "revisions-post"] }, { interfaceOnly: true }])(
    "one unchanged field does it (%j)",
    async (options) => {
      const platform = await startPlatform(options);
      const stack = new Stack(platform);
      await stack.up(docker({ redeployTriggers: { token: "1" } }));
      await stack.up(docker({ redeployTriggers: { token: "2" } }));
      expect(platform.requests({ method: "POST" })).toEqual(["POST /v2/deployments", REDEPLOY]);
      expect(platform.emulator.journal.entries({ method: "PATCH" }).map(({ body }) => body)).toEqual([
        { source_revision_config: { image_uri: "registry.example.com/agent:1.0.0" } },
      ]);
      expect((await platform.look(deploymentOf(stack).id)).revisions).toHaveLength(2);
    },
  );

  it("a roll-back puts the old image back", async () => {
    const platform = await startPlatform({ interfaceOnly: true });
    const stack = new Stack(platform);
    await stack.up(docker({ rollbackOnFailure: true }));
    await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
    const { message } = await failureOf(stack.up(docker({ ...image("2"), rollbackOnFailure: true })));
    expect(message).toContain("Rolled back");
    const remote = await platform.look(deploymentOf(stack).id);
    expect(remote.source_revision_config.image_uri).toBe("registry.example.com/agent:1.0.0");
    expect(remote.active_revision_id).toBe(remote.latest_revision_id);
  });
});

it.each([{ without: ["logs"] }, { interfaceOnly: true }])(
  "a failure on a service without logs tells the last status and where to look (%j)",
  async (options) => {
    const platform = await startPlatform(options);
    await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
    const { message } = await failureOf(new Stack(platform).up(docker()));
    expect(message).toMatch(/DEPLOY_FAILED after \d+ s/);
    expect(message).toMatch(/log could not be read \(404\): look at this revision in the service's own console/);
  },
);

it("neither the list of revisions nor that of listeners is needed", async () => {
  const platform = await startPlatform({ without: ["revisions-list", "revisions-post", "listeners", "listener"] });
  const stack = new Stack(platform);
  await stack.up(moved);
  await stack.up({ ...moved, ...image("2") });
  expect(await stack.refresh()).toBe("same");
  await stack.destroy();
  expect(await platform.deployments()).toEqual([]);
});
