/** getDeployment and getDeployments: results, number of requests, and errors. */
import { failureOf } from "../../support/errors";
import { startPlatform } from "../../support/platform";
import { program } from "./program";

const tenant = "11111111-1111-4111-8111-111111111111";
const image = (tag: string) => ({ image_uri: `registry.example.com/agent:${tag}` });
const none = "99999999-9999-4999-8999-999999999999";
const LIST = "GET /v2/deployments";

async function startWith(names: string[], change: object = {}) {
  const platform = await startPlatform();
  const deployments = names.map((name) => ({ name, source_revision_config: image("1"), ...change }));
  const { deployments: ids = [] } = await platform.emulator.seed({ deployments });
  return { platform, ids, call: program(platform) };
}
const numbered = (count: number) => Array.from({ length: count }, (_, number) => `agent-${number}`);

describe("getDeployment", () => {
  // @covers 2A.Deployment.is_managed_deep_agent, 4A.GET /v2/deployments/{deployment_id}
  it("returns all fields of a deployment, without nulls and without secrets", async () => {
    const { platform, ids, call } = await startWith(["billing"], {
      is_managed_deep_agent: true,
      secrets: [
        { name: "MODEL_KEY", value: "the-value" },
        { name: "PULUMI_RESOURCE", value: "acme/urn" },
      ],
      secret_references: [{ name: "TOKEN", secret_name: "tokens", secret_key: "first" }],
      source_config: { resource_spec: { cpu: 0.5, labels: { "app.kubernetes.io/part_of": "billing" } } },
    });
    const [id] = ids;
    const result = await call("getDeployment", { name: "billing" });
    expect(result).toMatchObject({
      ...{ id, name: "billing", source: "external_docker", status: "READY", isManagedDeepAgent: true },
      ...{ url: `${platform.url}/agents/${id}`, sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" } },
      sourceConfig: { resourceSpec: { cpu: 0.5, cpuLimit: 1, labels: { "app.kubernetes.io/part_of": "billing" } } },
      ...{ secretNames: ["MODEL_KEY"], secretReferences: { TOKEN: { secretName: "tokens", secretKey: "first" } } },
      activeRevisionId: result.latestRevisionId,
    });
    expect(JSON.stringify(result)).not.toMatch(/the-value|acme|null|_config/);
    expect(result).not.toHaveProperty("secrets");
    expect(await call("getDeployment", { id })).toEqual(result);
    const withSecrets = await call("getDeployment", { id, withSecrets: true });
    expect(withSecrets).toEqual({ ...result, secrets: { MODEL_KEY: "the-value" } });
  });

  it("sends a request with each call, so that a new deployment is found", async () => {
    const { platform, call } = await startWith(["billing"]);
    await call("getDeployment", { name: "billing" });
    await platform.emulator.seed({ deployments: [{ name: "support" }] });
    expect(await call("getDeployment", { name: "support" })).toMatchObject({ name: "support" });
  });

  it.each([1, 2])("finds %i by exact name with one request each", async (count) => {
    const { platform, call } = await startWith(["agent-0-old", ...numbered(2), "another-agent-1"]);
    const result = await Promise.all(numbered(count).map((name) => call("getDeployment", { name })));
    expect(result.map(({ name }) => name)).toEqual(numbered(count));
    expect(platform.requests()).toEqual(Array(count).fill(LIST));
  });

  it("reads further pages for many names that the first pages do not contain, at most one per name", async () => {
    const { platform, call } = await startWith(numbered(650));
    const cost = async (names: string[]) => {
      await platform.emulator.requestLog.clear();
      const result = await Promise.all(names.map((name) => call("getDeployment", { name })));
      expect(result.map(({ name }) => name)).toEqual(names);
      return platform.requests().length;
    };
    // The list is sorted newest first, so the smallest numbers are last.
    expect(await cost(numbered(100))).toBe(7);
    expect(await cost(numbered(5))).toBeLessThanOrEqual(5 + 2 * 5);
    expect(await cost(["agent-649", "agent-648", "agent-647"])).toBe(1);
  });

  it("fails for an unknown name with available names, the most similar first, and the number of others", async () => {
    const { call } = await startWith(["suport-agent", "billing", ...numbered(12)]);
    const { message } = await failureOf(call("getDeployment", { name: "support-agent" }));
    expect(message).toContain(
      'No deployment with name "support-agent" is visible to this API key. Available: "suport-',
    );
    expect(message).toMatch(/: "suport-agent", "agent-\d+".*, and 4 more\.$/);
  });

  it("fails for an unknown name also without any deployment, and with more than it lists", async () => {
    const none = await startWith([]);
    expect((await failureOf(none.call("getDeployment", { name: "a" }))).message).toBe(
      'No deployment with name "a": this API key can see no deployments in the workspace. Check apiKey and tenantId.',
    );
    const many = await startWith(numbered(401));
    await expect(many.call("getDeployment", { name: "a" })).rejects.toThrow(/"agent-\d+", and others\.$/);
    expect(many.platform.requests()).toHaveLength(10);
  });

  it.each<[object | undefined, string]>([
    [{}, "specify name or id."],
    [undefined, "specify name or id."],
    [{ name: "a", id: "b" }, "specify only one of name and id."],
    [{ nam: "a" }, 'unknown argument "nam"; did you mean "name"?\nspecify name or id.'],
    [{ name: 1 }, "name must be a string, not a number."],
    ["billing" as never, "must be an object, not a string.\nspecify name or id."],
  ])("rejects the arguments %j without a request", async (args, message) => {
    const { platform, call } = await startWith([]);
    expect((await failureOf(call("getDeployment", args))).message).toBe(message);
    expect(platform.requests()).toEqual([]);
  });
});

describe("getDeployments", () => {
  // @covers 2A.DeploymentsList.offset, 4A.GET /v2/deployments.limit, 4A.GET /v2/deployments.offset
  // @covers 4A.GET /v2/deployments.agent_id
  it("returns those of an agent in one of its environments", async () => {
    const platform = await startPlatform({ platform: "today" });
    const call = program(platform);
    for (const environment of ["staging", "production"])
      await platform.call("POST", "/v2/deployments", {
        ...{ agent: { agent_id: "checkout", environment }, source: "internal_docker", secrets: [] },
        ...{ source_config: { deployment_type: "dev" }, source_revision_config: {} },
      });
    const environmentsOf = async (filter: object) =>
      (await call("getDeployments", filter)).map(({ agent }: { agent: { environment: string } }) => agent.environment);
    expect(await environmentsOf({ agentId: "checkout" })).toEqual(["production", "staging"]);
    expect(await environmentsOf({ agentId: "checkout", agentEnvironment: "staging" })).toEqual(["staging"]);
    expect(await environmentsOf({ agentId: "billing" })).toEqual([]);
  });

  it("reads the list to its end, without duplicates", async () => {
    const { platform, ids, call } = await startWith(numbered(230));
    const result = await call("getDeployments");
    expect(new Set(result.map(({ id }: { id: string }) => id))).toEqual(new Set(ids));
    expect(result).toHaveLength(230);
    // The last page is empty, since a short one may not be the last.
    expect(platform.requests()).toEqual([LIST, LIST, LIST, LIST]);
  });

  // @covers 4A.GET /v2/deployments.name_contains, 4A.GET /v2/deployments.status
  // @covers 4A.GET /v2/deployments.remote_reconciled, 4A.GET /v2/deployments.tag_value_ids
  // @covers 4A.GET /v2/deployments.image_version, 4A.GET /v2/deployments.deployment_type
  // @covers 4A.GET /v2/deployments.deployment_ids
  it("sends every filter under its name in the interface", async () => {
    const { platform, call } = await startWith([]);
    const filters = {
      ...{ nameContains: "a b", status: "READY", deploymentType: "dev_zero", imageVersion: "0.2" },
      ...{ remoteReconciled: false, tagValueIds: ["t-1", "t-2"], deploymentIds: [tenant, none, tenant] },
    };
    expect(await call("getDeployments", filters)).toEqual([]);
    expect(platform.emulator.requestLog.entries().map(({ query }) => query)).toEqual([
      {
        ...{ limit: ["100"], offset: ["0"], name_contains: ["a b"], status: ["READY"], deployment_type: ["dev_zero"] },
        ...{ image_version: ["0.2"], remote_reconciled: ["false"], tag_value_ids: ["t-1,t-2"] },
        deployment_ids: [`${tenant},${none}`],
      },
    ]);
  });

  it("reads more IDs than fit on a page in batches, and returns each deployment once, newest first", async () => {
    const { platform, ids, call } = await startWith(numbered(50));
    for (let n = 0; n < 3; n++) {
      await platform.advance(60_000);
      const { deployments = [] } = await platform.emulator.seed({
        deployments: numbered(40).map((name) => ({ name: `later-${n}-${name}` })),
      });
      ids.push(...deployments);
    }
    const result = await call("getDeployments", { deploymentIds: [...ids, ...ids] });
    expect(result).toHaveLength(ids.length);
    const creationTimes = result.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(creationTimes).toEqual(creationTimes.toSorted().toReversed());
  });

  it("omits secret values unless withSecrets is set", async () => {
    const { call } = await startWith(["billing"], { secrets: [{ name: "KEY", value: "the-value" }] });
    expect(JSON.stringify(await call("getDeployments"))).not.toContain("the-value");
    expect(await call("getDeployments", { withSecrets: true })).toMatchObject([{ secrets: { KEY: "the-value" } }]);
  });
});

it("The functions for deployments work with a server that implements only the interface", async () => {
  const platform = await startPlatform({ interfaceOnly: true });
  await platform.emulator.seed({ deployments: [{ name: "billing", source_revision_config: image("1") }] });
  const call = program(platform);
  const { id, latestRevisionId } = await call("getDeployment", { name: "billing" });
  expect(await call("getDeployments")).toMatchObject([{ id }]);
  expect(await call("getRevision", { deploymentId: id, revisionId: latestRevisionId })).toEqual({
    ...{ id: latestRevisionId, status: "DEPLOYED" },
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
  });
  await expect(call("getRevisions", { deploymentId: id })).rejects.toThrow(
    /^GET \/v2\/deployments\/.*\/revisions: 404: .*or this server does not support the function\./s,
  );
});
