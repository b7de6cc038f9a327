/** Requests that must make a revision: nothing counts as deployed before the server shows it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage, withResourceSpec } from "../../../../support/deployments/inputs";
import { createAgentFolder, internalSource } from "../../../../support/deployments/source-folder";
import { failureOf } from "../../../../support/errors";
import { type Platform, startPlatform } from "../../../../support/platform";
import { startRewritingProxy } from "../../../../support/servers/rewriting-proxy";
import { expectClean, Stack, stateOf } from "../../../../support/stack";

async function deployed(declared: PropertyMap = dockerDeployment()) {
  const { platform, stack, id } = await createDeployment(declared);
  const { body } = await platform.call("GET", `/v2/deployments/${id}`);
  await platform.emulator.requestLog.clear();
  return { platform, stack, id, before: body };
}

const liveImage = async (platform: Platform, id: string) => {
  const { revisions, active_revision_id: active } = await platform.getDeployment(id);
  return revisions.find((one) => one.id === active)?.source_revision_config.image_uri;
};

describe("an update of a Deployment", () => {
  // @covers 10A.revision
  it("whose response arrives before its revision exists waits for that revision, and fails with it", async () => {
    const { platform, stack, id, before } = await deployed();
    await platform.addFault({ method: "PATCH", status: 200, body: before, act: true });
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await expect(stack.up(dockerDeployment(withImage("2")))).rejects.toThrow("failed with DEPLOY_FAILED");
    expect(stateOf(stack).failed).toBe(true);
    expect(await stack.up(dockerDeployment(withImage("2")))).toBe("update");
    expect(await liveImage(platform, id)).toBe("registry.example.com/agent:2");
  });

  it.each<[string, PropertyMap, PropertyMap, RegExp]>([
    ["an image", {}, withImage("2"), /holds .*imageUri ".*agent:1\.0\.0", declared is ".*agent:2"/],
    ["secrets", { secrets: { A: "one-secret" } }, { secrets: { A: "two-secret" } }, /another value of secrets\.A/],
    ["a specification", withResourceSpec({ cpu: 1 }), withResourceSpec({ cpu: 2 }), /cpu 1, declared is 2/],
  ])(
    "of %s without a revision fails with what the server holds, and is sent again",
    async (_what, base, change, held) => {
      const { platform, stack, id, before } = await deployed(dockerDeployment(base));
      await platform.addFault({ method: "PATCH", status: 200, body: before });
      const { message } = await failureOf(stack.up(dockerDeployment(change)));
      expect(message).toContain("made no revision of it within 60 s, so nothing was deployed.");
      expect(message).toMatch(held);
      expect(message).not.toMatch(/one-secret|two-secret/);
      await stack.diff(dockerDeployment(change));
      expect(stack.messages.at(-1)).toMatch(/^info: new revision: /);
      expect(await stack.up(dockerDeployment(change))).toBe("update");
      expect((await platform.getDeployment(id)).revisions).toHaveLength(2);
      await expectClean(stack, dockerDeployment(change));
    },
  );

  it("that the server stored without a revision is sent again by the next up, so that it is deployed", async () => {
    const { platform, stack, id, before } = await deployed();
    const image = withImage("2").sourceRevisionConfig.imageUri;
    await platform.addFault({ method: "PATCH", status: 200, body: before });
    platform.duringNextWait(() =>
      platform.updateOutOfBand(id, { source_revision_config: { ...before.source_revision_config, image_uri: image } }),
    );
    await failureOf(stack.up(dockerDeployment(withImage("2"))));
    expect((await platform.getDeployment(id)).revisions).toHaveLength(1);
    expect(await stack.up(dockerDeployment(withImage("2")))).toBe("update");
    expect(await liveImage(platform, id)).toBe(image);
  });

  it("of unknown outcome that the server stores without a revision is sent again by the next up as well", async () => {
    const { platform, stack, id, before } = await deployed();
    const image = withImage("2").sourceRevisionConfig.imageUri;
    await platform.addFault({ method: "PATCH", connection: "reset-before" });
    await platform.addFault({ method: "GET", path: `/v2/deployments/${id}`, status: 401, skip: 1 });
    await expect(stack.up(dockerDeployment(withImage("2")))).rejects.toThrow(/PATCH .*: no response/);
    await platform.updateOutOfBand(id, {
      source_revision_config: { ...before.source_revision_config, image_uri: image },
    });
    expect(await stack.up(dockerDeployment(withImage("2")))).toBe("update");
    expect((await platform.getDeployment(id)).revisions).toHaveLength(2);
  });

  it("of which the server stored only a part warns, and the next up sends the rest", async () => {
    const { platform, stack, id, before } = await deployed(dockerDeployment({ secrets: { A: "1" } }));
    const declared = dockerDeployment({ ...withImage("2"), secrets: { A: "2" } });
    platform.duringNextWait(() => platform.updateOutOfBand(id, { secrets: before.secrets }));
    expect(await stack.up(declared)).toBe("update");
    expect(stack.messages).toContainEqual(
      expect.stringMatching(/^warn: the server accepted secrets\.A, but still holds the previous value\./),
    );
    expect(await stack.up(declared, stack.host(), { __ignoreChanges: ["secrets"] })).toBe("same");
    expect(await stack.up(declared)).toBe("update");
    expect((await platform.getDeployment(id)).secrets).toContainEqual({ name: "A", value: "2" });
    expect(await stack.up(declared)).toBe("same");
  });
});

it.each([
  ["a redeploy", []],
  ["a PATCH", ["redeploy", "revisions-post"]],
])(
  "a redeploy of a Deployment by %s that makes no revision fails, and the next up repeats it",
  async (_what, without) => {
    const { platform, stack } = await startDeployment({ server: { without } });
    const declared = (token: string) => dockerDeployment({ redeployTriggers: { token } });
    const { id } = await stack.stateAfter(declared("1"));
    const { body } = await platform.call("GET", `/v2/deployments/${id}`);
    const fault = without.length > 0 ? { method: "PATCH" } : { method: "POST", path: "/v2/**/redeploy" };
    await platform.addFault({ ...fault, status: 200, body });
    await expect(stack.up(declared("2"))).rejects.toThrow("made no revision of it within 60 s");
    expect(await stack.up(declared("2"))).toBe("update");
    expect((await platform.getDeployment(id)).revisions).toHaveLength(2);
  },
);

it("an upload of a Deployment that makes no revision fails, and the next up uploads it again", async () => {
  const folder = createAgentFolder();
  const declared = internalSource({ sourcePath: folder });
  const { platform, stack, id, before } = await deployed(declared);
  writeFileSync(join(folder, "agent.py"), "graph = 2");
  await platform.addFault({ method: "PATCH", status: 200, body: before });
  await expect(stack.up(declared)).rejects.toThrow("made no revision of it within 60 s");
  expect(await stack.up(declared)).toBe("update");
  expect(platform.requests({ method: "PUT" })).toHaveLength(2);
  expect((await platform.getDeployment(id)).revisions).toHaveLength(2);
});

describe("a create of a Deployment whose response names no revision", () => {
  const hidden = async (hides: () => boolean) => {
    const platform = await startPlatform();
    const proxy = await startRewritingProxy(platform, (remote) => {
      if (hides()) Object.assign(remote, { latest_revision_id: null, active_revision_id: null });
    });
    return { platform, stack: new Stack(proxy) };
  };

  it("waits for the revision, and for its rollout", async () => {
    let count = 0;
    const { platform, stack } = await hidden(() => ++count <= 3);
    expect(await stack.up(dockerDeployment())).toBe("create");
    const { latest_revision_id: latest } = await platform.getDeployment(stateOf(stack).id);
    expect(stateOf(stack).outputs).toMatchObject({ latestRevisionId: latest, activeRevisionId: latest });
  });

  it("fails when none appears, keeps the deployment, and the next up sends its content again", async () => {
    let isHidden = true;
    const { platform, stack } = await hidden(() => isHidden);
    await expect(stack.up(dockerDeployment())).rejects.toThrow("made no revision of it within 60 s");
    expect(stateOf(stack)).toMatchObject({ failed: true });
    isHidden = false;
    expect(await stack.up(dockerDeployment())).toBe("update");
    expect(await platform.deployments()).toHaveLength(1);
  });
});

it("a create of a Deployment whose response is its ID alone keeps the ID when reading it fails", async () => {
  const platform = await startPlatform();
  const stack = new Stack(await startIdOnly(platform));
  await platform.addFault({ path: "/v2/deployments/*", method: "GET", status: 503, times: 100 });
  await expect(stack.up(dockerDeployment())).rejects.toThrow(": 503: ");
  const [{ id } = { id: "" }] = await platform.deployments();
  expect(stateOf(stack)).toMatchObject({ id, failed: true });
  await platform.emulator.faults.clear();
  expect(await stack.up(dockerDeployment())).toBe("update");
  expect(await platform.deployments()).toHaveLength(1);
});

/** A server whose response to the first create is what the interface promises. */
function startIdOnly(platform: Platform) {
  let isFirst = true;
  return startRewritingProxy(platform, (remote) => {
    if (isFirst)
      for (const key of Object.keys(remote))
        if (!/^(id|latest_revision_id)$/.test(key)) Reflect.deleteProperty(remote, key);
    isFirst = false;
  });
}
