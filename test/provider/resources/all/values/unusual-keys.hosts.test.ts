/** Keys that mean something to JavaScript or look like internal ones, and NUL characters: each is kept and compared. */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { startAssistants } from "../../../../support/agents/assistants";
import { cronsOf } from "../../../../support/agents/crons";
import { startAgents } from "../../../../support/agents/threads";
import { createDeployment } from "../../../../support/deployments/create";
import { dockerDeployment } from "../../../../support/deployments/inputs";
import { failureOf } from "../../../../support/errors";
import { type Platform, startPlatform } from "../../../../support/platform";
import { CheckError, dynamicHostOnly, expectClean, Stack, stateOf } from "../../../../support/stack";

const KEYS = ["constructor", "toString", "hasOwnProperty", "__token", "__provider"];
const map = (value: string, keys = KEYS): Record<string, string> => Object.fromEntries(keys.map((key) => [key, value]));
const others = (key: string) => KEYS.filter((other) => other !== key);
/** Parses JSON, because an object literal would set the prototype. */
const withProto = (value: unknown): PropertyMap => JSON.parse(`{"__proto__":${JSON.stringify(value)},"a":"b"}`);

describe("Deployment: keys such as constructor and __token", () => {
  const declared = (secrets: PropertyMap, labels: PropertyMap, redeployTriggers: PropertyMap) =>
    dockerDeployment({ secrets, redeployTriggers, sourceConfig: { resourceSpec: { labels, annotations: labels } } });
  const all = (value: string) => declared(map(value), map(value), map(value));
  const names = (remote: { secrets: { name: string; value: string }[] }) =>
    Object.fromEntries(
      remote.secrets.filter(({ name }) => name !== "PULUMI_RESOURCE").map(({ name, value }) => [name, value]),
    );

  let platform: Platform;
  let stack: Stack;
  beforeEach(async () => {
    platform = await startPlatform();
    stack = new Stack(platform);
    await stack.up(all("1"));
  });
  const remote = () => platform.getDeployment(stateOf(stack).id);

  it("are compared, shown, sent and stored when a single one changes", async () => {
    let [secrets, labels, triggers] = [map("1"), map("1"), map("1")];
    for (const key of KEYS) {
      const changes: [path: string, change: () => void][] = [
        [`secrets.${key}`, () => (secrets = { ...secrets, [key]: "2" })],
        [`labels.${key}`, () => (labels = { ...labels, [key]: "2" })],
        [`redeployTriggers.${key}`, () => (triggers = { ...triggers, [key]: "2" })],
      ];
      for (const [path, change] of changes) {
        change();
        stack.messages = [];
        expect(await stack.up(declared(secrets, labels, triggers))).toBe("update");
        expect(stack.messages.join("\n")).toContain(path);
      }
    }
    expect(names(await remote())).toEqual(map("2"));
    expect((await remote()).source_config.resource_spec).toMatchObject({ labels: map("2"), annotations: map("2") });
    expect(stateOf(stack)).toMatchObject({ inputs: all("2"), outputs: all("2") });
    await expectClean(stack, all("2"));
  });

  it("are detected as drift when someone removes or changes one", async () => {
    const change = (values: Record<string, string>) =>
      platform.updateOutOfBand(stateOf(stack).id, {
        secrets: Object.entries({ ...values, PULUMI_RESOURCE: `acme/${stack.urn}` }).map(([name, value]) => ({
          ...{ name, value },
        })),
      });
    for (const key of KEYS) {
      await change(map("1", others(key)));
      expect(await stack.refresh()).toBe("changed");
      await change({ ...map("1"), [key]: "9" });
      expect([await stack.refresh(), await stack.up(all("1"))]).toEqual(["changed", "update"]);
      expect(names(await remote())).toEqual(map("1"));
    }
  });

  it("are supported on a server that masks values", async () => {
    const stars = (keys: string[]) => ({
      secrets: ["PULUMI_RESOURCE", ...keys].map((name) => ({ name, value: "***" })),
    });
    await stack.up(declared({ a: "1" }, {}, {}));
    await platform.updateOutOfBand(stateOf(stack).id, stars(["a", ...KEYS]));
    expect(await stack.refresh()).toBe("changed");
    expect(stateOf(stack).inputs.secrets).toEqual({ a: "1", ...map("") });
  });
});

it("Assistant: keys of context, config and metadata such as constructor are kept", async () => {
  const agents = await startAssistants();
  const stack = agents.assistantStack();
  // Servers remove values of a graph whose keys begin with two underscores, so check rejects them.
  const values = (value: string) =>
    Object.fromEntries(Object.entries(map(value)).filter(([key]) => !key.startsWith("__")));
  const declared = (value: string) =>
    agents.assistantInputs({
      context: { ...values(value), deep: [map(value)] },
      config: values(value),
      metadata: map(value),
    });
  await stack.up(declared("1"));
  await expectClean(stack, declared("1"));
  expect(await stack.up(declared("2"))).toBe("update");
  const remote = await agents.getAssistant(stateOf(stack).id);
  const { context } = declared("2") as { context: PropertyMap };
  expect(remote).toMatchObject({ context, config: values("2"), metadata: map("2"), version: 2 });
  expect(await stack.refresh()).toBe("same");
});

dynamicHostOnly(describe)("the key __proto__, which Pulumi drops silently,", () => {
  it.each<[string, PropertyMap]>([
    ["secrets.__proto__", dockerDeployment({ secrets: withProto("x") })],
    ["redeployTriggers.__proto__", dockerDeployment({ redeployTriggers: withProto("x") })],
    [
      "sourceConfig.resourceSpec.labels.__proto__",
      dockerDeployment({ sourceConfig: { resourceSpec: { labels: withProto("x") } } }),
    ],
  ])("is rejected as %s", async (path, declared) => {
    const error = await failureOf(new Stack(await startPlatform()).up(declared));
    expect(error).toBeInstanceOf(CheckError);
    expect((error as CheckError).failures).toEqual([
      { property: "", reason: expect.stringContaining(`${path} is not supported`) },
    ]);
  });

  it("is rejected in metadata at any depth", async () => {
    const agents = await startAgents();
    const declared = agents.threadInputs({ metadata: { graph_id: "echo", deep: [{ a: withProto({ b: 1 }) }] } });
    const error = (await failureOf(agents.stack().up(declared))) as CheckError;
    expect(error.failures).toEqual([
      { property: "", reason: expect.stringContaining("metadata.deep.0.a.__proto__ is not supported") },
    ]);
  });

  it("that a server returns as a secret is drift and stays a plain key", async () => {
    const { platform, stack } = await createDeployment(dockerDeployment({ secrets: { A: "1" } }));
    const secrets = [
      { name: "PULUMI_RESOURCE", value: `acme/${stack.urn}` },
      { name: "A", value: "1" },
      { name: "__proto__", value: "x" },
    ];
    await platform.updateOutOfBand(stateOf(stack).id, { secrets });
    const host = stack.host();
    const refreshed = await host.read(stateOf(stack).id, stateOf(stack).outputs);
    expect(Object.keys(refreshed.inputs?.secrets)).toEqual(["A", "__proto__"]);
    expect(Object.getPrototypeOf(refreshed.inputs?.secrets)).toBe(Object.prototype);
  });
});

const nul = { "key\0": "value\0", list: ["item\0"], nested: { deep: "\0" }, escaped: "\\u0000" };
/** The inputs in which the server replaces it, by kind. */
const CASES = {
  Thread: { metadata: nul },
  Assistant: { name: "n\0", description: "d\0", context: { text: "c\0" }, config: { tags: ["t\0"] }, metadata: nul },
  "Assistant by its configuration": { context: undefined, config: { configurable: { text: "c\0" } } },
  Cron: { input: nul, config: { configurable: { text: "c\0" } }, webhook: "https://a.example.com/\0", metadata: nul },
  "Cron with a context": { context: { text: "c\0" } },
};

async function startWithNul(kind: string, change: object) {
  const agents = await startAssistants();
  const crons = cronsOf(agents);
  if (kind.startsWith("Thread")) return { stack: agents.stack(), declared: agents.threadInputs({ ...change }) };
  if (kind.startsWith("Cron")) return { stack: crons.stack(), declared: crons.inputs(change as never) };
  return { stack: agents.assistantStack(), declared: agents.assistantInputs({ ...change }) };
}

// @covers 2B.Thread.metadata:nul
it.each(Object.entries(CASES))("%s: NUL characters cause a warning and do not differ", async (kind, change) => {
  const { stack, declared } = await startWithNul(kind, change);
  await stack.check(declared);
  const warned = Object.entries(change).filter(([, value]) => value !== undefined);
  for (const [path] of warned)
    expect(stack.messages.join("\n")).toContain(`warn: ${path}: contains a NUL character, or its escape sequence`);
  await stack.up(declared);
  expect(await stack.refresh()).toBe("same");
  expect(stateOf(stack).inputs).toMatchObject(Object.fromEntries(warned));
  expect(await stack.up(declared)).toBe("same");
  expect(stack.messages.join("\n")).not.toContain("did not store");
});
