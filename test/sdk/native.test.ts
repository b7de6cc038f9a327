/** The classes and functions of `pulumi-agentgraph/native`, in a unit test of a program. */
import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import type { SupportContext } from "../cli/types/written/python-server";

const registered: { type: string; inputs: Record<string, unknown> }[] = [];
const called: { token: string; inputs: object }[] = [];

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ type, name, inputs, id }) => {
      registered.push({ type, inputs });
      const chosen = { name, assistantId: "a-1", threadId: "t-1", cronId: "c-1" };
      return { id: id || `${name}-id`, state: { ...chosen, ...inputs, url: "https://agent.example" } };
    },
    call: ({ token, inputs }) => {
      called.push({ token, inputs });
      return token.endsWith("getDeployments") ? ([{ id: "a" }] as never) : { id: "a" };
    },
  }),
);

const resolveOutput = <T>(output: pulumi.Output<T>) => new Promise<T>((done) => void output.apply(done as never));

test("The package and its native form export the same names", () => {
  expect(Object.keys(native).sort()).toEqual(Object.keys(dynamic).sort());
});

test("A resource has the token of the native provider, and no internal inputs", async () => {
  const agent = new native.Deployment("agent", { source: "internal_docker", secrets: { toString: "s" } as never });
  expect(await resolveOutput(agent.url)).toBe("https://agent.example");
  const { inputs = {} } = registered.find(({ type }) => type === "agentgraph:index:Deployment") ?? {};
  expect(Object.keys(inputs).sort()).toEqual(["secrets", "source"]);
  expect(native.Deployment.isInstance(agent)).toBe(true);
  expect(dynamic.Deployment.isInstance(agent)).toBe(false);
});

test("A resource has its name and its ID as outputs, also where the program declares none", async () => {
  const { name } = new native.Deployment("unnamed", { source: "internal_docker" });
  const assistant = new native.Assistant("unnamed", { deploymentId: "d", graphId: "support" });
  const { threadId } = new native.Thread("unnamed", { deploymentId: "d" });
  const { cronId } = new native.Cron("unnamed", { deploymentId: "d", assistantId: "a", schedule: "0 3 * * *" });
  const outputs = pulumi.all([name, assistant.name, assistant.assistantId, threadId, cronId]);
  expect(await resolveOutput(outputs)).toEqual(["unnamed", "unnamed", "a-1", "t-1", "c-1"]);
});

test.each([
  ["dynamic", dynamic.Deployment],
  ["native", native.Deployment],
])("An input that a program of the %s host does not declare is an output without a value", async (_, Deployment) => {
  const agent = new Deployment("bare", { source: "internal_docker" });
  expect(await resolveOutput(agent.displayName.apply((text) => text ?? "none"))).toBe("none");
  // Otherwise, a preview would show a change of what depends on it.
  expect(registered.at(-1)?.inputs).not.toHaveProperty("displayName");
});

test.each([
  ["dynamic", dynamic],
  ["native", native],
])("A typed context with Outputs at any depth reaches a %s resource as plain values", async (name, { Assistant }) => {
  const text = pulumi.output("a");
  const context = { user_id: text, tools: [{ kind: "search" as const, index: text }], retry: { attempts: 2 } };
  const { context: output } = new Assistant<SupportContext>(name, { deploymentId: "d", graphId: "support", context });
  const plain = { user_id: "a", tools: [{ kind: "search", index: "a" }], retry: { attempts: 2 } };
  expect(await resolveOutput(output)).toEqual(plain);
  expect(registered.map(({ inputs }) => inputs.context)).toContainEqual(plain);
});

test("A function is called by its token, in both forms", async () => {
  expect(await native.getDeployments({})).toEqual([{ id: "a" }]);
  expect(await resolveOutput(native.getDeploymentOutput({ id: "a" }).id)).toBe("a");
  expect(called.map(({ token }) => token)).toEqual([
    "agentgraph:index:getDeployments",
    "agentgraph:index:getDeployment",
  ]);
});

test("An explicit Provider passes its settings as text, the secret ones as secrets", async () => {
  const provider = new native.Provider("other", { apiKey: "key", agentOrigins: ["https://a.example"] });
  await resolveOutput(provider.urn);
  const { type, inputs } = registered.at(-1) ?? { type: "", inputs: {} };
  expect(type).toBe("pulumi:providers:agentgraph");
  expect(inputs).toMatchObject({ agentOrigins: '["https://a.example"]' });
});
