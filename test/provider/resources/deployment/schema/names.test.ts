/** Default names of deployments: chosen at the create and then kept; a declared name takes precedence. */
import { runtime } from "@pulumi/pulumi";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { type Platform, startPlatform } from "../../../../support/platform";
import { Stack, startStack } from "../../../../support/stack";

let platform: Platform;
beforeEach(async () => {
  platform = await startPlatform();
});

/** The inputs that the SDK registers for a program without a name, with a default. */
const unnamed = (name: string, change: PropertyMap = {}): PropertyMap =>
  dockerDeployment({ ...change, name, __defaultName: name });
const remoteNames = async () => (await platform.deployments()).map(({ name }) => name);

it("Deployment: a default name is kept when the resource gets another name", async () => {
  const stack = await startStack(platform, unnamed("agent"));
  platform.emulator.requestLog.clear();
  const renamed = new Stack(platform, { name: "helper", stack: "prod" });
  renamed.state = stack.state;
  expect(await renamed.up(unnamed("helper-prod"))).toBe("same");
  expect(platform.requests()).toEqual([]);
  expect(renamed.messages).toEqual([]);
  expect(await renamed.up(unnamed("team-helper"))).toBe("same");
  expect(renamed.state?.inputs.name).toBe("agent");
});

it("Deployment: a declared name, or that of a transform, takes precedence over the default", async () => {
  const stack = await startStack(platform, unnamed("agent"));
  expect(JSON.stringify(stack.state)).not.toContain("__defaultName");
  // A transform changes the name and leaves the default beside it.
  for (const declared of [dockerDeployment({ name: "helper" }), { ...unnamed("agent"), name: "transformed" }])
    expect(await stack.diff(declared)).toMatchObject({ replaces: ["name"] });
  expect(await stack.up(dockerDeployment({ name: "agent" }))).toBe("same");
  expect(await stack.up(dockerDeployment({ name: "helper" }))).toBe("replace");
  expect(await remoteNames()).toEqual(["helper"]);
});

it("Deployment: a name is kept when the program no longer declares it", async () => {
  const stack = await startStack(platform, dockerDeployment({ name: "written" }));
  expect(await stack.up(unnamed("agent"))).toBe("same");
  expect(await stack.up(unnamed("agent", withImage("2")))).toBe("update");
  expect(await remoteNames()).toEqual(["written"]);
});

it("Deployment: a replacement keeps the default name, although its second check receives no old inputs", async () => {
  const listenerConfig = (k8sNamespace: string) => ({
    sourceConfig: { listenerId: "22222222-2222-4222-8222-222222222222", listenerConfig: { k8sNamespace } },
  });
  const stack = await startStack(platform, unnamed("agent", listenerConfig("default")));
  expect(await stack.up(unnamed("agent-renamed", listenerConfig("agents")))).toBe("replace");
  expect(await remoteNames()).toEqual(["agent"]);
  expect(stack.state?.inputs.name).toBe("agent");
});

it("Deployment: an unknown name stays unknown in a preview", async () => {
  const stack = await startStack(platform, unnamed("agent"));
  expect((await stack.check(unnamed(runtime.unknownValue))).name).toBe(runtime.unknownValue);
});
