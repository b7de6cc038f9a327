/** When the source or the image of a deployment is uploaded, and what a lost response to its request means. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runtime } from "@pulumi/pulumi";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { countRevisions, createDeployment } from "../../../../support/deployments/create";
import { dockerDeployment } from "../../../../support/deployments/inputs";
import { createAgentFolder, internalSource } from "../../../../support/deployments/source-folder";
import { failureOf } from "../../../../support/errors";
import { startPlatform } from "../../../../support/platform";
import { expectClean, Stack, stateOf } from "../../../../support/stack";

const RETRY = "warn: the latest revision had failed; uploading the source again and retrying it once.";

/** A live deployment from a folder, which the next declaration contains again. */
async function deployed() {
  const folder = createAgentFolder();
  const declared = internalSource({ sourcePath: folder });
  const { platform, stack } = await createDeployment(declared);
  const change = () => writeFileSync(join(folder, "agent.py"), "graph = 2");
  const uploads = () => platform.requests({ method: "PUT" });
  const revisions = async () => (await platform.getDeployment(stateOf(stack).id)).revisions.map(({ status }) => status);
  return { platform, stack, declared, change, uploads, revisions };
}

it("a rejected upload of a folder does not blame the API key, which was not sent", async () => {
  const platform = await startPlatform();
  const body = "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>";
  await platform.addFault({ method: "PUT", status: 403, body });
  const { message } = await failureOf(new Stack(platform).up(internalSource({ sourcePath: createAgentFolder() })));
  expect(message).toContain("403: AccessDenied Request has expired\nThe store rejected the signed upload URL");
  expect(message).not.toContain("tenantId");
});

describe("an update of a Deployment from a folder", () => {
  it("of something else uploads nothing, and reads no revision before it", async () => {
    const { platform, stack, declared, uploads } = await deployed();
    await stack.up({ ...declared, secrets: { A: "1" } });
    expect(uploads()).toEqual([]);
    const requests = platform.requests();
    expect(requests.slice(0, requests.indexOf("PATCH /v2/deployments/{id}"))).toEqual(["GET /v2/deployments/{id}"]);
    expect(stack.messages).not.toContain(RETRY);
  });

  it("after a failed revision uploads it again once, with a warning", async () => {
    const { platform, stack, declared, change, uploads, revisions } = await deployed();
    change();
    await platform.addFault({ revision: { ends: "BUILD_FAILED" } });
    await expect(stack.up(declared)).rejects.toThrow("BUILD_FAILED");
    expect(await stack.up(declared)).toBe("update");
    expect(stack.messages).toContain(RETRY);
    expect(uploads()).toHaveLength(2);
    expect(await revisions()).toEqual(["DEPLOYED", "BUILD_FAILED", "DEPLOYED"]);
  });

  it("of a deployment without a revision uploads the unchanged folder", async () => {
    const { platform, stack, declared, uploads } = await deployed();
    const { id } = stateOf(stack);
    const { body } = await platform.call("GET", `/v2/deployments/${id}`);
    const withoutRevision = { ...body, latest_revision_id: null, active_revision_id: null };
    await platform.addFault({ method: "GET", path: `/v2/deployments/${id}`, status: 200, body: withoutRevision });
    await stack.up({ ...declared, secrets: { A: "1" } });
    expect(uploads()).toHaveLength(1);
  });
});

it("a refresh of a Deployment that is being deleted sends one request", async () => {
  const { platform, stack } = await createDeployment();
  await platform.call("DELETE", `/v2/deployments/${stateOf(stack).id}`);
  await platform.emulator.requestLog.clear();
  expect(await stack.refresh()).toBe("gone");
  expect(platform.requests()).toEqual(["GET /v2/deployments/{id}"]);
});

it("a refresh of a Deployment succeeds when the server cannot return its unfinished revision", async () => {
  const { platform, stack } = await createDeployment(dockerDeployment({ waitFor: "none" }));
  await platform.addFault({ method: "GET", path: "/v2/deployments/*/revisions/*", status: 403, times: 9 });
  const host = stack.host();
  stateOf(stack).inputs.waitFor = "deployed";
  stateOf(stack).outputs.waitFor = "deployed";
  await stack.refresh(host);
  expect(stack.messages.filter((row) => row.startsWith("warn"))).toEqual([]);
  expect(platform.requests({ path: "/v2/deployments/*/revisions/*" })).toHaveLength(1);
});

describe("a Deployment whose image is pushed later", () => {
  const pushed = (image?: string): PropertyMap => ({
    ...{ source: "internal_docker", name: "agent" },
    ...(image && { sourceRevisionConfig: { imageUri: image } }),
  });

  it("does not wait, and creates its first revision with the image", async () => {
    const { platform, stack, id } = await createDeployment(pushed());
    expect(await countRevisions(platform, id)).toBe(0);
    await expectClean(stack, pushed());
    await stack.up(pushed("registry.example.com/agent:1"));
    expect(await countRevisions(platform, id)).toBe(1);
    await stack.up(pushed("registry.example.com/agent:2"));
    expect(await countRevisions(platform, id)).toBe(2);
    await stack.destroy();
    expect(await platform.deployments()).toEqual([]);
  });

  const warnings = (stack: Stack) =>
    stack.messages.filter((row) => row.startsWith("warn: ") && !row.includes("REPLACED"));

  const [CHANGED, TRIGGERED] = [{ secrets: { KEY: "2" } }, { redeployTriggers: { a: "2" } }];
  it.each<[string, PropertyMap, PropertyMap, RegExp]>([
    ["secrets", pushed(), CHANGED, /will fail because there is no image.*sourceRevisionConfig.imageUri/],
    ["redeployTriggers", pushed(), TRIGGERED, /: .*no image.*sourceRevisionConfig.imageUri/],
    ["secrets", internalSource(), CHANGED, /will fail because there is no source yet\. Declare sourcePath/],
    ["redeployTriggers", internalSource(), TRIGGERED, /no source to deploy yet\. Declare sourcePath/],
  ])("causes a warning in a preview that changes %s (%j)", async (path, source, change, expected) => {
    const declared = { ...source, secrets: { KEY: "1" }, redeployTriggers: { a: "1" } };
    const { stack } = await createDeployment(declared);
    stack.messages = [];
    await stack.diff({ ...declared, ...change });
    const changed = warnings(stack).filter((row) => row.startsWith(`warn: ${path}: `));
    expect(changed).toEqual([expect.stringMatching(expected)]);
  });

  it("causes no warning if the image is added or was pushed, nothing changes, or it is replaced", async () => {
    const { platform, stack, id } = await createDeployment({ ...pushed(), secrets: { KEY: "1" } });
    const secrets = { KEY: "2" };
    stack.messages = [];
    for (const declared of [
      { ...pushed("registry.example.com/agent:1"), secrets },
      { ...pushed(), sourceRevisionConfig: runtime.unknownValue, secrets },
      { ...pushed(), secrets: { KEY: "1" } },
      { ...pushed(), name: "other", secrets },
    ])
      await stack.diff(declared);
    await platform.call("PATCH", `/v2/deployments/${id}`, {
      source_revision_config: { image_uri: "r.example.com/a:1" },
    });
    await platform.advance(60_000);
    await stack.refresh();
    await stack.diff({ ...pushed(), secrets });
    expect(warnings(stack)).toEqual([]);
  });
});
