/** A user's unit test: `setMocks` answers for the engine and for the server, wherever the test runs. */
import { tmpdir } from "node:os";
import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "../../sdk";
import { failureOf } from "../support/errors";

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

it("resources have what newResource returns", async () => {
  const agent = new agentgraph.Deployment("agent", {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
  });
  expect(await value(pulumi.all([agent.id, agent.activeRevisionId, agent.sourceRevisionConfig.imageUri]))).toEqual([
    ...["agent-id", "r-1", "registry.example.com/agent:1"],
  ]);
});

it("the plain form of a function returns what call returns, and asks no server", async () => {
  expect(await agentgraph.getDeployment({ name: "agent" })).toEqual({
    ...{ id: "d-1", url: "https://agent.example", secrets: { KEY: "the-value" } },
  });
  expect(calls).toEqual([{ token: "agentgraph:index:getDeployment", inputs: { name: "agent" } }]);
});

it("the Output form does, too, with its Inputs resolved and its secrets secret", async () => {
  const found = agentgraph.getDeploymentOutput({ name: pulumi.output("agent") });
  expect(await value(found.url)).toBe("https://agent.example");
  expect(await pulumi.isSecret(found.secrets)).toBe(true);
  expect(calls).toEqual([{ token: "agentgraph:index:getDeployment", inputs: { name: "agent", withSecrets: true } }]);
});

it("call is told which Provider is used", async () => {
  const provider = new agentgraph.Provider("red", { apiKey: "k" });
  await agentgraph.getDeployments({}, { provider });
  const reference = `${await value(provider.urn)}::red-id`;
  expect(calls).toEqual([{ token: "agentgraph:index:getDeployments", inputs: {}, provider: reference }]);
});

it("a list is the array that call returns, and anything else is refused by name", async () => {
  expect((await agentgraph.getDeployments()).map(({ id }) => id)).toEqual(["d-1", "d-2"]);
  const { message } = await failureOf(agentgraph.getListeners());
  expect(message).toBe(
    'getListeners: the mock function "call" must return an array for agentgraph:index:getListeners.',
  );
});

it("what get reads is what newResource returns for its ID", async () => {
  const thread = agentgraph.Thread.get("talk", "d-1/t-1");
  expect(await value(pulumi.all([thread.id, thread.deploymentId]))).toEqual(["t-1", "d-1"]);
});
