/** The name that a program does not write: chosen at create, then kept; a written one decides. */
import { runtime } from "@pulumi/pulumi";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { dockerDeployment, withImage } from "../../../support/deployments";
import { type Platform, startPlatform } from "../../../support/platform";
import { Stack } from "../../../support/stack";

let platform: Platform;
beforeEach(async () => {
  platform = await startPlatform();
});

/** What the SDK registers when the program writes no name and its template makes this one. */
const unnamed = (name: string, change: PropertyMap = {}): PropertyMap =>
  dockerDeployment({ ...change, name, __defaultName: name });
const remoteNames = async () => (await platform.deployments()).map(({ name }) => name);

it("Deployment: a default name is kept when the resource, the stack or the template gets another name", async () => {
  const stack = new Stack(platform);
  await stack.up(unnamed("agent"));
  platform.emulator.journal.clear();
  const renamed = new Stack(platform, { name: "helper", stack: "prod" });
  renamed.state = stack.state;
  expect(await renamed.up(unnamed("helper-prod"))).toBe("same");
  expect(platform.requests()).toEqual([]);
  expect(renamed.messages).toEqual([]);
  expect(await renamed.up(unnamed("team-helper"))).toBe("same");
  expect(renamed.state?.inputs.name).toBe("agent");
});

it("Deployment: a name that the program writes decides, also when it equals the default", async () => {
  const stack = new Stack(platform);
  await stack.up(unnamed("agent"));
  expect(await stack.diff(dockerDeployment({ name: "helper" }))).toMatchObject({ replaces: ["name"] });
  expect(await stack.up(dockerDeployment({ name: "agent" }))).toBe("same");
  expect(await stack.up(dockerDeployment({ name: "helper" }))).toBe("replace");
  expect(await remoteNames()).toEqual(["helper"]);
});

it("Deployment: a name that a transform writes in place of the default decides", async () => {
  const stack = new Stack(platform);
  await stack.up(unnamed("agent"));
  expect(await stack.diff({ ...unnamed("agent"), name: "transformed" })).toMatchObject({ replaces: ["name"] });
});

it("Deployment: a name is kept when the program no longer writes it", async () => {
  const stack = new Stack(platform);
  await stack.up(dockerDeployment({ name: "written" }));
  expect(await stack.up(unnamed("agent"))).toBe("same");
  expect(await stack.up(unnamed("agent", withImage("2")))).toBe("update");
  expect(await remoteNames()).toEqual(["written"]);
});

it("Deployment: a replacement keeps the default name, although its second check sees no old inputs", async () => {
  const listenerConfig = (k8sNamespace: string) => ({
    sourceConfig: { listenerId: "22222222-2222-4222-8222-222222222222", listenerConfig: { k8sNamespace } },
  });
  const stack = new Stack(platform);
  await stack.up(unnamed("agent", listenerConfig("default")));
  expect(await stack.up(unnamed("agent-renamed", listenerConfig("agents")))).toBe("replace");
  expect(await remoteNames()).toEqual(["agent"]);
  expect(stack.state?.inputs.name).toBe("agent");
});

it("Deployment: a name that is not known in a preview stays unknown, since the program may write one", async () => {
  const stack = new Stack(platform);
  await stack.up(unnamed("agent"));
  const inputs = await stack.check(unnamed(runtime.unknownValue));
  expect(inputs.name).toBe(runtime.unknownValue);
});

it("Deployment: a new deployment takes the default name as it is now", async () => {
  const stack = new Stack(platform);
  await stack.up(unnamed("agent-dev"));
  expect(await remoteNames()).toEqual(["agent-dev"]);
});

it("Deployment: state does not hold what only check needs to know of a default name", async () => {
  const stack = new Stack(platform);
  await stack.up(unnamed("agent"));
  expect(JSON.stringify(stack.state)).not.toContain("__defaultName");
});
