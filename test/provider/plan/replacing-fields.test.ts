/**
 * Every input whose change replaces the object, of all kinds: a spelling that means the same replaces nothing, in
 * the program or on the server, and another value does.
 */
import { definitions } from "../../../provider/definitions";
import { diffInputs } from "../../../provider/plan/diff";
import { planChange } from "../../../provider/plan/plan-change";
import { keepApplied } from "../../../provider/plan/server-values";
import { defaultAssistantId } from "../../../provider/schema/id";
import { mergeRemote } from "../../../provider/schema/mapping";
import { type PropertyMap, valueAt, variantFor } from "../../../provider/schema/schema";
import { agentKinds } from "../../support/agents/kinds";
import { definitionOf } from "./plans";

const ID = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
const OTHER_ID = "11111111-bbbb-4ccc-8ddd-eeeeeeeeeeee";
const UUID_FORMS = [ID.toUpperCase(), ID.replaceAll("-", ""), `{${ID}}`, `urn:uuid:${ID}`];

interface Spellings {
  /** A value, and other spellings of it. */
  same: [unknown, ...unknown[]];
  /** Values that mean something else. */
  other: unknown[];
  /** The source of a Deployment. */
  source?: string;
}

const uuid: Spellings = { same: [ID, ...UUID_FORMS], other: [OTHER_ID] };
const url: Spellings = {
  same: [
    "https://host.example/base",
    ...["https://host.example/base/", "https://HOST.example:443/base", "HTTPS://host.example/base//"],
    ...["https://host.example/base?", "https://host.example/base#", "https://host.example/x/../base"],
    "https://host.example/b%61se",
  ],
  other: [
    ...["http://host.example/base", "https://host.example:8443/base", "https://host.example/Base"],
    ...["https://host.example", "https://other.example/base"],
  ],
};
const instant: Spellings = {
  same: [
    "2026-01-01T00:00:00Z",
    ...["2026-01-01T00:00:00", "2026-01-01T00:00:00+00:00", "2026-01-01t00:00z"],
    ...["2026-01-01T01:00:00.000+01", "2026-01-01 00:00:00.000000Z"],
  ],
  other: ["2026-01-01T00:00:01Z", "2026-01-01T00:00:00.000001Z", "2026-01-01T00:00:00-01:00"],
};
const endpoint = { deploymentId: uuid, deploymentUrl: url };
const extra: Spellings = {
  same: [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  other: [{ a: 2, b: 2 }],
};
const exported: Record<string, Spellings> = {
  extra,
  bulkExportDestinationId: uuid,
  sessionId: uuid,
  allExperiments: { same: [false, undefined], other: [true] },
  startTime: instant,
  filter: { same: ['eq(name, "a")'], other: ['eq(name, "A")'] },
  exportFields: {
    same: [
      ["id", "name"],
      ["name", "id", "id"],
      ["ID", "Name"],
    ],
    other: [["id"], undefined],
  },
  format: { same: ["Parquet", "parquet", "PARQUET"], other: ["csv", undefined] },
  formatVersion: { same: ["v2_beta", "V2_BETA"], other: ["v1"] },
  compression: { same: ["zstandard", "ZSTANDARD", "Zstandard"], other: ["gzip"] },
};

/** The rows of a kind on agent servers that has no other field of this kind. */
const ofAgentKinds = agentKinds.map(({ names: { kind, noun } }) => [kind, { ...endpoint, [`${noun}Id`]: uuid }]);

const FIELDS: Record<string, Record<string, Spellings>> = {
  ...Object.fromEntries(ofAgentKinds),
  Deployment: {
    name: { source: "githost", same: ["agent"], other: ["Agent", "agent "] },
    "agent.agentId": { source: "githost", same: ["checkout"], other: ["Checkout"] },
    "agent.environment": { source: "githost", same: ["production"], other: ["staging"] },
    source: { same: ["githost"], other: ["external_docker"] },
    "sourceConfig.integrationId": { ...uuid, source: "githost" },
    "sourceConfig.repoUrl": {
      source: "githost",
      same: [
        "https://git.example/team/agent",
        ...["https://git.example/team/agent.git", "https://git.example/team/agent/", "https://GIT.example/team/agent"],
        ...["https://git.example:443/team/agent.git/", "https://git.example/team/agent?"],
        " https://git.example/team/agent",
      ],
      other: [
        ...["https://git.example/team/Agent", "http://git.example/team/agent", "git@git.example:team/agent.git"],
        ...["https://git.example/team/agent2", "https://other.example/team/agent"],
      ],
    },
    "sourceConfig.templateId": { source: "internal_template", same: ["chat"], other: ["Chat"] },
    "sourceConfig.deploymentType": { source: "githost", same: ["prod", "PROD"], other: ["dev"] },
    "sourceConfig.listenerId": { ...uuid, source: "external_docker" },
    "sourceConfig.listenerConfig.k8sNamespace": { source: "external_docker", same: ["agents"], other: ["other"] },
  },
  Thread: {
    ...endpoint,
    threadId: uuid,
    copyFrom: uuid,
    supersteps: {
      same: [
        [{ updates: [{ values: { a: 1, b: 2 }, asNode: "echo" }] }],
        [{ updates: [{ asNode: "echo", values: { b: 2, a: 1 } }] }],
      ],
      other: [[{ updates: [{ values: { a: 1 }, asNode: "echo" }] }]],
    },
  },
  Cron: { ...endpoint, assistantId: { same: [ID, ...UUID_FORMS], other: [OTHER_ID, "echo"] }, threadId: uuid },
  BulkExportDestination: {
    extra,
    destinationType: { same: ["s3", "S3"], other: ["gcs"] },
    displayName: { same: ["Traces"], other: ["traces"] },
    "config.bucketName": { same: ["traces"], other: ["other"] },
    "config.prefix": { same: ["agents", "agents/", "agents//"], other: ["agents/eu", "/agents", undefined] },
    "config.region": { same: ["eu-central-1", "EU-CENTRAL-1"], other: ["eu-west-1"] },
    "config.endpointUrl": url,
    "config.includeBucketInPrefix": { same: [true, undefined], other: [false] },
    "config.configKwargsS3.addressingStyle": { same: ["path", "PATH"], other: ["virtual"] },
    "config.s3AdditionalKwargs": {
      same: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      other: [{ a: 1 }],
    },
  },
  BulkExport: { ...exported, endTime: instant },
  ScheduledBulkExport: { ...exported, intervalHours: { same: [24], other: [12] } },
};

/** Returns the paths of the leaves that replace an object of a kind. */
function replacingPaths(kind: string): string[] {
  const { schema } = definitionOf(kind);
  const replacing = schema.fields.filter(({ path }) =>
    schema.fields.some((field) => field.replaces && (path === field.path || path.startsWith(`${field.path}.`))),
  );
  const isLeaf = (path: string) => !schema.fields.some((field) => field.path.startsWith(`${path}.`));
  return [...new Set(replacing.map(({ path }) => path))].filter(isLeaf).toSorted();
}

const at = (path: string, value: unknown): PropertyMap =>
  path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as PropertyMap;

const cases = Object.entries(FIELDS).flatMap(([kind, fields]) =>
  Object.entries(fields).map(([path, spellings]) => ({ kind, path, ...spellings })),
);

describe.each(definitions.map(({ kind }) => kind))("%s", (kind) => {
  it("has spellings in this test for every input that replaces it", () => {
    expect(Object.keys(FIELDS[kind] ?? {}).toSorted()).toEqual(replacingPaths(kind));
  });
});

describe.each(cases)("$kind: $path", ({ kind, path, same: [first, ...spellings], other, source }) => {
  const definition = definitionOf(kind);
  const inputsWith = (value: unknown) => ({ ...(source && { source }), ...at(path, value) });
  const compare = (before: unknown, after: unknown) => {
    const [from, to] = [inputsWith(before), inputsWith(after)];
    return diffInputs(definition, from, path === "source" ? { ...to, source: after } : to);
  };

  it("is the same in another spelling, whichever of the two the program has", () => {
    for (const spelling of [first, ...spellings]) {
      expect([spelling, compare(first, spelling).paths]).toEqual([spelling, []]);
      expect([spelling, compare(spelling, first).paths]).toEqual([spelling, []]);
    }
  });

  // @covers 10A.spelling, 10C.spelling, 2C.Export job.start_time
  it("keeps its declared spelling where the server returns another one", () => {
    const schema = variantFor(definition.schema, inputsWith(first));
    for (const spelling of spellings)
      expect(valueAt(mergeRemote(schema as never, inputsWith(first), inputsWith(spelling)), path)).toEqual(first);
  });

  it("replaces nothing where only the server changed it, also once the program declares that value", () => {
    for (const value of other.filter((one) => one !== undefined && path !== "source")) {
      const { inputs, serverValues } = keepApplied(definition, inputsWith(first), inputsWith(value));
      const options = { now: 0, isRequestedByProgram: true, serverValues };
      expect(planChange(definition, inputs, inputsWith(first), options).changes).toEqual([]);
      const accepting = planChange(definition, inputs, inputsWith(value), options);
      expect([accepting.replace, accepting.changes.map(({ effect }) => effect)]).toEqual([undefined, ["none"]]);
      for (const third of other.filter((one) => one !== undefined && one !== value))
        expect(planChange(definition, inputs, inputsWith(third), options).replace).toBeDefined();
    }
  });

  // @covers 2A.Deployment.source:fixed, 2A.SourceConfig.integration_id:fixed, 2A.SourceConfig.repo_url:fixed
  // @covers 2A.SourceConfig.deployment_type:fixed
  it("replaces the object where the value is another one", () => {
    for (const value of other) expect([value, compare(first, value).replaces]).toEqual([value, [expect.any(String)]]);
  });
});

it("Cron: an assistant named by its graph is the default assistant of that graph", () => {
  const cron = definitionOf("Cron");
  const id = defaultAssistantId("echo");
  for (const spelling of [id, id.toUpperCase()])
    expect(diffInputs(cron, { assistantId: "echo" }, { assistantId: spelling }).paths).toEqual([]);
});

it.each([
  ["git@Git.example:team/agent.git", "ssh://git@git.example/team/agent", true],
  ["ssh://git@git.example:22/team/agent/", "git@git.example:team/agent", true],
  ["ssh://git@git.example:2222/team/agent", "git@git.example:team/agent", false],
  ["git@git.example:team/agent", "deploy@git.example:team/agent", false],
])("A repository %s is compared with %s by what SSH connects to", (left, right, expected) => {
  const deployment = definitionOf("Deployment");
  const at = (repoUrl: string) => ({ source: "githost", sourceConfig: { repoUrl } });
  expect(diffInputs(deployment, at(left), at(right)).paths.length === 0).toBe(expected);
});
