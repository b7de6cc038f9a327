/** Which adopted objects become one AgentService, and how a program declares it. */
import { declareAll } from "../../../../cli/adopt/program/declarations";
import { Names } from "../../../../cli/adopt/program/names";
import { groupIntoServices } from "../../../../cli/adopt/program/services";
import { typescript } from "../../../../cli/adopt/program/typescript";
import { yaml } from "../../../../cli/adopt/program/yaml";
import type { Adopted, Kind } from "../../../../cli/adopt/types";
import type { PropertyMap } from "../../../../provider/schema/schema";

const UNKNOWN_ID = "11111111-1111-4111-8111-111111111111";
const ask = { schedule: "0 3 * * *" };

/** Returns an object with its title as its ID. */
function object(kind: Kind, title: string, inputs: PropertyMap = {}): Adopted {
  const outputs = kind === "deployments" ? { tracingProjectId: `project of ${title}` } : {};
  return { kind, id: title, title, name: title, variable: title.replaceAll("-", ""), inputs, outputs };
}

const of = (deploymentId: string, inputs: PropertyMap = {}) => ({ deploymentId, ...inputs });
const deployment = (title: string) =>
  object("deployments", title, { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } });
const concierge = object("assistants", "concierge", of("support", { graphId: "agent" }));
const daily = (sessionId: string, destination: string, intervalHours = 24) =>
  object("schedules", `${sessionId} to ${destination}`, {
    ...{ bulkExportDestinationId: destination, sessionId: `project of ${sessionId}`, intervalHours },
    startTime: "2026-01-01T00:00:00Z",
  });

/** Returns the names of the objects that a service declares, and of those that it does not. */
function groupOf(...all: Adopted[]) {
  const grouped = groupIntoServices([deployment("support"), concierge, ...all]);
  const [inside, outside] = [true, false].map((is) => grouped.filter(({ service }) => (service !== undefined) === is));
  return { inside: inside?.map(({ name }) => name).slice(2), outside: outside?.map(({ name }) => name) };
}

it.each<[string, Adopted[], string[]]>([
  [
    "a cron of its assistant",
    [object("crons", "summary", of("support", { ...ask, assistantId: "concierge" }))],
    ["support-summary-cron"],
  ],
  [
    "a cron of a graph",
    [object("crons", "check", of("support", { ...ask, assistantId: "agent" }))],
    ["support-check-cron"],
  ],
  ["its only thread", [object("threads", "one", of("support", { threadId: "one" }))], ["support-thread"]],
  [
    "its nightly export with the destination",
    [object("destinations", "lake"), daily("support", "lake")],
    ["support-destination", "support-export"],
  ],
])("A service declares %s", (_, objects, names) => {
  expect(groupOf(...objects)).toEqual({ inside: names, outside: [] });
});

it.each<[string, Adopted[], string[]]>([
  [
    "a cron of an assistant that is not adopted",
    [object("crons", "other", of("support", { ...ask, assistantId: UNKNOWN_ID }))],
    [],
  ],
  ["several threads", ["one", "two"].map((title) => object("threads", title, of("support"))), []],
  [
    "a cron on a thread, and that thread",
    [
      object("threads", "one", of("support", { threadId: "one" })),
      object("crons", "follow-up", of("support", { ...ask, assistantId: "concierge", threadId: "one" })),
    ],
    [],
  ],
  [
    "an assistant whose name cannot be a key, and its cron",
    [
      { ...object("assistants", "__proto__", of("support")), id: UNKNOWN_ID },
      object("crons", "other", of("support", { ...ask, assistantId: UNKNOWN_ID })),
    ],
    [],
  ],
  ["an export with another interval", [daily("support", "lake", 168)], []],
  ["several exports", [daily("support", "lake"), daily("support", "other")], []],
  ["another deployment, to which nothing belongs", [deployment("alone")], []],
])("A service does not declare %s", (_, objects, names) => {
  expect(groupOf(...objects)).toEqual({ inside: names, outside: objects.map(({ name }) => name) });
});

it("A destination that others use stays outside of a service, which refers to it", () => {
  const others = [deployment("other"), daily("other", "lake", 1)];
  expect(groupOf(object("destinations", "lake"), daily("support", "lake"), ...others)).toEqual({
    inside: ["support-export"],
    outside: ["lake", "other", "other to lake"],
  });
});

it("An object whose name two services would give stays outside of the second", () => {
  const all = groupIntoServices([
    ...["a", "a-b"].map(deployment),
    object("assistants", "b-c", of("a")),
    object("assistants", "c", of("a-b")),
    object("assistants", "d", of("a-b")),
  ]);
  expect(all.map(({ name }) => name)).toEqual(["a", "a-b", "a-b-c", "c", "a-b-d"]);
});

const location = { folder: "/agents", from: "/agents" };
const mixed = () =>
  groupIntoServices([
    ...["support", "other"].map(deployment),
    object("destinations", "lake"),
    daily("support", "lake"),
    daily("other", "lake"),
    ...["one", "two"].map((title) => object("threads", title, of("support"))),
    concierge,
    object("crons", "summary", of("support", { ...ask, assistantId: "concierge" })),
    object("crons", "follow-up", of("support", { ...ask, assistantId: "concierge", threadId: "one" })),
  ]);

it("A program declares a service after its destination, and before what refers to the service", () => {
  const source = typescript.sources(declareAll(mixed(), new Names(typescript.naming)), location)["index.ts"] ?? "";
  expect(source).toContain(`
const lake = new agentgraph.BulkExportDestination("lake", {});

const support = new agentgraph.AgentService("support", {
  deployment: {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "a:1" },
  },
  assistants: { concierge: { graphId: "agent" } },
  crons: { summary: { assistant: "concierge", schedule: "0 3 * * *" } },
  nightlyExport: {
    bulkExportDestinationId: lake.id,
    startTime: "2026-01-01T00:00:00Z",
  },
});
`);
  expect(source).toContain('  assistantId: support.assistantIds["concierge"],\n');
  expect(source.match(/deploymentId: support\.deploymentId/g)).toHaveLength(3);
});

it("A YAML program refers to the outputs of a service", () => {
  const source = yaml.sources(declareAll(mixed(), new Names(yaml.naming)), location)["Pulumi.yaml"] ?? "";
  expect(source).toContain("type: agentgraph:AgentService");
  expect(source).toMatch(/assistantId: .*\$\{support\.assistantIds\["concierge"\]\}/);
});

it("An import file has the component, and what belongs to it with the component as its parent", () => {
  const { resources } = JSON.parse(typescript.importFile(mixed()));
  expect(resources[0]).toEqual({
    ...{ type: "agentgraph:index:AgentService", name: "support (AgentService)" },
    ...{ logicalName: "support", component: true },
  });
  const children = resources.filter((one: { parent?: string }) => one.parent === "support (AgentService)");
  expect(children.map(({ name }: { name: string }) => name)).toEqual([
    ...["support", "support-export", "support-concierge", "support-summary-cron"],
  ]);
});
