/** A Deployment whose image or source is uploaded after it was created. */

import { runtime } from "@pulumi/pulumi";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { countRevisions, createDeployment } from "../../../../support/deployments/create";
import { internalSource } from "../../../../support/deployments/source-folder";
import type { Stack } from "../../../../support/stack";
import { expectClean } from "../../../../support/stack";

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

  it.each<[string, PropertyMap, PropertyMap, RegExp]>([
    [
      "secrets",
      pushed(),
      { secrets: { KEY: "2" } },
      /will fail because there is no image.*sourceRevisionConfig.imageUri/,
    ],
    ["redeployTriggers", pushed(), { redeployTriggers: { a: "2" } }, /: .*no image.*sourceRevisionConfig.imageUri/],
    [
      "secrets",
      internalSource(),
      { secrets: { KEY: "2" } },
      /will fail because there is no source yet\. Declare sourcePath/,
    ],
    [
      "redeployTriggers",
      internalSource(),
      { redeployTriggers: { a: "2" } },
      /no source to deploy yet\. Declare sourcePath/,
    ],
  ])("causes a warning in a preview that changes %s (%j)", async (path, source, change, expected) => {
    const declared = { ...source, secrets: { KEY: "1" }, redeployTriggers: { a: "1" } };
    const { stack } = await createDeployment(declared);
    stack.messages = [];
    await stack.diff({ ...declared, ...change });
    const changed = warnings(stack).filter((row) => row.startsWith(`warn: ${path}: `));
    expect(changed).toEqual([expect.stringMatching(expected)]);
  });

  it("causes no warning when a preview adds the image, changes nothing, replaces the deployment, or follows a push", async () => {
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
