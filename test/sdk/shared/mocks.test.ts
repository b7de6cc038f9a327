/** A user's unit test: `setMocks` replaces the engine and the server, wherever the test runs. */
import { tmpdir } from "node:os";
import * as pulumi from "@pulumi/pulumi";
import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { getMonitor } from "@pulumi/pulumi/runtime";
import * as agentgraph from "../../../sdk/nodejs";
import { failureOf } from "../../support/errors";

const calls: pulumi.runtime.MockCallArgs[] = [];
const answers: Record<string, unknown> = {
  getDeployment: { id: "d-1", url: pulumi.output("https://agent.example"), secrets: { KEY: "the-value" } },
  getDeployments: [{ id: "d-1" }, { id: "d-2" }],
};

// A runner may start in any folder, and the package need not be found from there.
const folder = process.cwd();
beforeAll(() => {
  process.chdir(tmpdir());
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: { ...inputs, activeRevisionId: "r-1" } }),
    call: (args) => {
      calls.push(args);
      return answers[args.token.replace("agentgraph:index:", "")] ?? {};
    },
  });
});
afterAll(() => process.chdir(folder));
beforeEach(() => void calls.splice(0));

const value = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply(resolve));

it("a resource has the outputs that newResource returns", async () => {
  const agent = new agentgraph.Deployment("agent", {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
  });
  expect(await value(pulumi.all([agent.id, agent.activeRevisionId, agent.sourceRevisionConfig.imageUri]))).toEqual([
    ...["agent-id", "r-1", "registry.example.com/agent:1"],
  ]);
});

it("a resource has its ID as the output of its kind, also where the program declares none", async () => {
  const args = { deploymentId: "d-1", graphId: "agent" };
  const [derived, declared] = [args, { ...args, assistantId: "a-1" }].map(
    (all, index) => new agentgraph.Assistant(`a${index}`, all),
  );
  expect(await value(pulumi.all([derived?.assistantId, declared?.assistantId]))).toEqual(["a0-id", "a-1"]);
});

it("a function that returns a Promise returns the result of call, and sends no request", async () => {
  expect(await agentgraph.getDeployment({ name: "agent" })).toEqual({
    ...{ id: "d-1", url: "https://agent.example", secrets: { KEY: "the-value" } },
  });
  expect(calls).toEqual([{ token: "agentgraph:index:getDeployment", inputs: { name: "agent" } }]);
});

it("a function that returns an Output returns the result of call, with resolved Inputs and secret fields", async () => {
  const found = agentgraph.getDeploymentOutput({ name: pulumi.output("agent") });
  expect(await value(found.url)).toBe("https://agent.example");
  expect(await pulumi.isSecret(found.secrets)).toBe(true);
  expect(calls).toEqual([{ token: "agentgraph:index:getDeployment", inputs: { name: "agent", withSecrets: true } }]);
});

it("call receives the Provider of the function", async () => {
  const provider = new agentgraph.Provider("red", { apiKey: "k" });
  await agentgraph.getDeployments({}, { provider });
  const reference = `${await value(provider.urn)}::red-id`;
  expect(calls).toEqual([{ token: "agentgraph:index:getDeployments", inputs: {}, provider: reference }]);
});

it("a function that returns a list requires an array from call, and the error names the function", async () => {
  expect((await agentgraph.getDeployments()).map(({ id }) => id)).toEqual(["d-1", "d-2"]);
  const { message } = await failureOf(agentgraph.getListeners());
  expect(message).toBe(
    'getListeners: the mock function "call" must return an array for agentgraph:index:getListeners.',
  );
});

it("the quickstart removes what is on its agent with it, so that a destroy ends without the agent", async () => {
  const registrations: [string, string][] = [];
  const monitor = getMonitor() as unknown as { registerResource(...all: [RegisterResourceRequest, unknown]): void };
  const { registerResource } = monitor;
  monitor.registerResource = (request, callback) => {
    registrations.push([request.getName(), request.getDeletedwith()]);
    registerResource.call(monitor, request, callback);
  };
  const { assistant, thread } = require("../../../examples/quickstart");
  await value(pulumi.all([assistant, thread]));
  monitor.registerResource = registerResource;
  const agent = expect.stringMatching(/::support-agent$/);
  expect(Object.fromEntries(registrations)).toEqual({ "support-agent": "", support: agent, welcome: agent });
});
