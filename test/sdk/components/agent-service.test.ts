/** The component AgentService, in a unit test of a program. */
import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../../sdk/nodejs";
import { problemsOf } from "../../../sdk/nodejs/components/check-args";
import * as native from "../../../sdk/nodejs/native";
import { promiseOf } from "../../../sdk/nodejs/shared/outputs";

const registered: { type: string; name: string; inputs: Record<string, unknown> }[] = [];

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ type, name, inputs }) => {
      registered.push({ type, name, inputs });
      const state = { ...inputs, url: "https://agent.example", tracingProjectId: "project" };
      return { id: `${name}-id`, state };
    },
    call: () => ({}),
  }),
);
beforeEach(() => registered.splice(0));

const deployment = { source: "internal_docker", sourceRevisionConfig: { imageUri: "a:1" } } as const;
const SERVICE: dynamic.AgentServiceArgs = {
  deployment,
  assistants: { concierge: { graphId: "agent" }, toString: { graphId: "agent" } },
  crons: {
    summary: { assistant: "concierge", schedule: "0 3 * * *" },
    other: { assistantId: "agent", schedule: "0 4 * * *" },
  },
  thread: { metadata: { team: "support" } },
  nightlyExport: { startTime: "2026-11-01T00:00:00Z", bulkExportDestinationId: "lake" },
};

test.each([
  ["dynamic", dynamic.AgentService],
  ["native", native.AgentService],
])("A service of %s resources has the resources that it declares, with outputs of their IDs", async (_, Service) => {
  const service = new Service("support", SERVICE);
  const assistants = { concierge: "support-concierge-id", toString: "support-toString-id" };
  expect(await promiseOf(service.assistantIds)).toEqual(assistants);
  const crons = { summary: "support-summary-cron-id", other: "support-other-cron-id" };
  expect(await promiseOf(service.cronIds)).toEqual(crons);
  expect(await promiseOf(pulumi.output([service.threadId, service.nightlyExportId, service.destinationId]))).toEqual([
    ...["support-thread-id", "support-export-id"],
    undefined,
  ]);
  expect(await promiseOf(service.assistants.concierge?.graphId as pulumi.Output<string>)).toBe("agent");
  expect(Service.isInstance(service)).toBe(true);
  const resource = (name: string) => registered.find((one) => one.name === name)?.inputs;
  expect(registered.map(({ name }) => name).sort()).toEqual(
    [
      ...["support", "support", "support-concierge", "support-export", "support-other-cron"],
      ...["support-summary-cron", "support-thread", "support-toString"],
    ].sort(),
  );
  const ids = { deploymentId: "support-id", assistantId: "support-concierge-id" };
  expect(resource("support-summary-cron")).toMatchObject(ids);
  expect(resource("support-other-cron")).toMatchObject({ assistantId: "agent" });
  expect(resource("support-export")).toMatchObject({ sessionId: "project", intervalHours: 24 });
  expect(resource("support-summary-cron")).not.toHaveProperty("assistant");
});

test("A service with only a deployment creates nothing else", async () => {
  const service = new native.AgentService("only", { deployment });
  expect(await promiseOf(service.url)).toBe("https://agent.example");
  expect(registered.map(({ name }) => name)).toEqual(["only", "only"]);
});

const cron = { assistant: "concierge", schedule: "0 3 * * *" };
const bucket = { destinationType: "s3" };

test.each<[problem: string, args: unknown]>([
  ["The arguments must be an object whose keys are known. Its values may be outputs, but it cannot be one.", undefined],
  ["deployment is required.", {}],
  ["deployment must be an object whose keys are known.", { deployment: pulumi.output(deployment) }],
  ["deployment must be an object whose keys are known.", { deployment: [] }],
  ['deploiment is not a known field; did you mean "deployment"?', { deploiment: deployment }],
  ['deployment.sourc is not a known field; did you mean "source"?', { deployment: { sourc: "githost" } }],
  ["assistants must be an object whose keys are known.", { assistants: pulumi.output({}) }],
  ["assistants must be an object whose keys are known.", { assistants: Promise.resolve({}) }],
  ["assistants.a must be an object whose keys are known.", { assistants: { a: pulumi.output({ graphId: "agent" }) } }],
  ['assistants.a.contxt is not a known field; did you mean "context"?', { assistants: { a: { contxt: {} } } }],
  ['assistants: "" cannot be part of a name. Use another key.', { assistants: { "": { graphId: "agent" } } }],
  ['assistants: "__proto__" cannot be part of a name.', { assistants: JSON.parse('{"__proto__": {}}') }],
  ["assistants.a.deploymentId is set by the service. Remove it.", { assistants: { a: { deploymentId: "d" } } }],
  ["thread.deploymentUrl is set by the service. Remove it.", { thread: { deploymentUrl: "http://a.example" } }],
  ['crons.c.shedule is not a known field; did you mean "schedule"?', { crons: { c: { shedule: "" } } }],
  ["crons.c: specify assistant or assistantId.", { crons: { c: { schedule: "0 3 * * *" } } }],
  ["crons.c: specify assistant or assistantId, and only one of them.", { crons: { c: { ...cron, assistantId: "a" } } }],
  ["crons.c.assistant must be a text that is known.", { crons: { c: { assistant: pulumi.output("concierge") } } }],
  ['crons.c.assistant: the service has no assistant "concierge". It has none; for', { crons: { c: cron } }],
  ['has no assistant "concierge". It has a, b.', { assistants: { a: {}, b: {} }, crons: { c: cron } }],
  ['Did you mean "conciergé"?', { assistants: { conciergé: {} }, crons: { c: cron } }],
  ['has no assistant "toString"', { assistants: { a: {} }, crons: { c: { assistant: "toString" } } }],
  ["nightlyExport: specify destination or bulkExportDestinationId.", { nightlyExport: { startTime: "" } }],
  [
    "nightlyExport: specify destination or bulkExportDestinationId, and only one of them.",
    { nightlyExport: { destination: bucket, bulkExportDestinationId: "d" } },
  ],
  ["nightlyExport.intervalHours is set by the service.", { nightlyExport: { destination: bucket, intervalHours: 6 } }],
  ["nightlyExport.destination.buket is not a known field", { nightlyExport: { destination: { buket: 1 } } }],
])("The arguments of a service are refused: %s", (problem, args) => {
  const complete = (args as object | undefined) && {
    ...(problem.includes("deploy") ? {} : { deployment }),
    ...(args as object),
  };
  expect(problemsOf(complete).join("\n")).toContain(problem);
  expect(problemsOf(complete).join("\n")).not.toContain("undefined");
});

test("Null stands for an absent argument, as other languages send it", () => {
  const absent = { assistants: null, crons: null, thread: null, nightlyExport: null };
  expect(problemsOf({ deployment, ...absent })).toEqual([]);
  const service = new native.AgentService("nulls", { deployment, ...absent } as never);
  expect(service.thread).toBeUndefined();
});

test("A service that is refused registers nothing", async () => {
  expect(() => new native.AgentService("bad", { deployment, thread: { metdata: {} } } as never)).toThrow(
    'AgentService "bad": thread.metdata is not a known field; did you mean "metadata"?',
  );
  await new Promise(setImmediate);
  expect(registered.filter(({ name }) => name.startsWith("bad"))).toEqual([]);
});
