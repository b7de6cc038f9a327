/** Deployments looked up by name, by id and by filter: what is told, what it costs, what is said when there is none. */
import { failureOf } from "../../support/errors";
import { program } from "../../support/functions";
import { startPlatform } from "../../support/platform";

const tenant = "11111111-1111-4111-8111-111111111111";
const image = (tag: string) => ({ image_uri: `registry.example.com/agent:${tag}` });
const none = "99999999-9999-4999-8999-999999999999";
const LIST = "GET /v2/deployments";

async function startWith(names: string[], change: object = {}) {
  const platform = await startPlatform();
  const deployments = names.map((name) => ({ name, source_revision_config: image("1"), ...change }));
  const { deployments: ids = [] } = await platform.emulator.seed({ deployments });
  return { platform, ids, look: program(platform) };
}
const numbered = (count: number) => Array.from({ length: count }, (_, number) => `agent-${number}`);

describe("getDeployment", () => {
  // @covers 4A.GET /v2/deployments/{deployment_id}
  it("tells all that the service says of one, in our names, without nulls and without secrets", async () => {
    const { platform, ids, look } = await startWith(["billing"], {
      secrets: [
        { name: "MODEL_KEY", value: "the-value" },
        { name: "PULUMI_RESOURCE", value: "acme/urn" },
      ],
      secret_references: [{ name: "TOKEN", secret_name: "tokens", secret_key: "first" }],
      source_config: { resource_spec: { cpu: 0.5, labels: { "app.kubernetes.io/part_of": "billing" } } },
    });
    const [id] = ids;
    const found = await look("getDeployment", { name: "billing" });
    expect(found).toMatchObject({
      ...{ id, name: "billing", source: "external_docker", status: "READY", isManagedDeepAgent: false },
      url: `${platform.url}/agents/${id}`,
      sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
      sourceConfig: { resourceSpec: { cpu: 0.5, cpuLimit: 1, labels: { "app.kubernetes.io/part_of": "billing" } } },
      secretNames: ["MODEL_KEY"],
      secretReferences: { TOKEN: { secretName: "tokens", secretKey: "first" } },
      activeRevisionId: found.latestRevisionId,
    });
    expect(JSON.stringify(found)).not.toMatch(/the-value|acme|null|_config/);
    expect(found).not.toHaveProperty("secrets");
    expect(await look("getDeployment", { id })).toEqual(found);
    expect(await look("getDeployment", { id, withSecrets: true })).toEqual({
      ...found,
      secrets: { MODEL_KEY: "the-value" },
    });
  });

  it("looks again each time: what was created a moment ago is found", async () => {
    const { platform, look } = await startWith(["billing"]);
    await look("getDeployment", { name: "billing" });
    await platform.emulator.seed({ deployments: [{ name: "support" }] });
    expect(await look("getDeployment", { name: "support" })).toMatchObject({ name: "support" });
  });

  it.each([1, 2])("asks for %i by name with a request each, and for the exact name", async (count) => {
    const { platform, look } = await startWith(["agent-0-old", ...numbered(2), "another-agent-1"]);
    const found = await Promise.all(numbered(count).map((name) => look("getDeployment", { name })));
    expect(found.map(({ name }) => name)).toEqual(numbered(count));
    expect(platform.requests()).toEqual(Array(count).fill(LIST));
  });

  it("asks for 150 by name with two pages of the list", async () => {
    const { platform, look } = await startWith(numbered(150));
    const found = await Promise.all(numbered(150).map((name) => look("getDeployment", { name })));
    expect(found.map(({ name }) => name)).toEqual(numbered(150));
    expect(platform.requests()).toEqual([LIST, LIST]);
  });

  it("reads on for many names that the first pages lack, but for no more pages than there are names", async () => {
    const { platform, look } = await startWith(numbered(650));
    const cost = async (names: string[]) => {
      await platform.emulator.journal.clear();
      const found = await Promise.all(names.map((name) => look("getDeployment", { name })));
      expect(found.map(({ name }) => name)).toEqual(names);
      return platform.requests().length;
    };
    // Newest first: those of the smallest numbers come last.
    expect(await cost(numbered(100))).toBe(7);
    expect(await cost(numbered(5))).toBeLessThanOrEqual(5 + 2 * 5);
    expect(await cost(["agent-649", "agent-648", "agent-647"])).toBe(1);
  });

  it("asks for 150 by id with two requests, and for the same one only once", async () => {
    const { platform, ids, look } = await startWith(numbered(150));
    const found = await Promise.all([...ids, ids[0]].map((id) => look("getDeployment", { id })));
    expect(found.map(({ id }) => id)).toEqual([...ids, ids[0]]);
    expect(platform.requests()).toEqual([LIST, LIST]);
  });

  it("finds the others where one id is none, and says so of that one alone", async () => {
    const { ids, look } = await startWith(numbered(2));
    const found = await Promise.allSettled([...ids, "no-uuid"].map((id) => look("getDeployment", { id })));
    expect(found.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  });

  it("says which names there are, the nearest first, and how many more", async () => {
    const { look } = await startWith(["suport-agent", "billing", ...numbered(12)]);
    const { message } = await failureOf(look("getDeployment", { name: "support-agent" }));
    expect(message).toMatch(
      /^No deployment with name "support-agent" is visible to this API key\. Available: "suport-agent", "agent-\d+".*, and 4 more\.$/,
    );
  });

  it("says so where there are none at all, or more than are worth listing", async () => {
    const none = await startWith([]);
    expect((await failureOf(none.look("getDeployment", { name: "a" }))).message).toBe(
      'No deployment with name "a": this API key can see no deployments in the workspace.',
    );
    const many = await startWith(numbered(401));
    const { message } = await failureOf(many.look("getDeployment", { name: "a" }));
    expect(message).toMatch(/"agent-\d+", and others\.$/);
    expect(many.platform.requests()).toHaveLength(10);
  });

  it("says of an id that the service does not know what to check", async () => {
    const { look } = await startWith([]);
    const { message } = await failureOf(look("getDeployment", { id: tenant }));
    expect(message).toMatch(
      /404: .*\nEither no object with this ID exists in the workspace, or this server does not support the function\./,
    );
  });

  it.each<[object | undefined, string]>([
    [{}, "specify name or id."],
    [undefined, "specify name or id."],
    [{ name: "a", id: "b" }, "specify either name or id, not both."],
    [{ nam: "a" }, 'unknown argument "nam"; did you mean "name"?\nspecify name or id.'],
    [{ name: 1 }, "name must be a string, not a number."],
    ["billing" as never, "must be an object, not a string.\nspecify name or id."],
  ])("refuses the arguments %j before it asks", async (args, message) => {
    const { platform, look } = await startWith([]);
    expect((await failureOf(look("getDeployment", args))).message).toBe(message);
    expect(platform.requests()).toEqual([]);
  });

  it("names all settings that are missing in one message", async () => {
    const { platform } = await startWith([]);
    const look = program(platform, { controlPlaneUrl: "", apiKey: "" });
    const { message } = await failureOf(look("getDeployment", { name: "a" }));
    expect(message).toMatch(/^Settings are missing: controlPlaneUrl, apiKey\n/);
  });
});

describe("getDeployments", () => {
  // @covers 2A.DeploymentsList.offset, 4A.GET /v2/deployments.limit, 4A.GET /v2/deployments.offset
  it("pages to the end, newest first, each once", async () => {
    const { platform, ids, look } = await startWith(numbered(230));
    const found = await look("getDeployments");
    expect(new Set(found.map(({ id }: { id: string }) => id))).toEqual(new Set(ids));
    expect(found).toHaveLength(230);
    // The last page is empty: a short one does not say that it is the last.
    expect(platform.requests()).toEqual([LIST, LIST, LIST, LIST]);
  });

  // @covers 4A.GET /v2/deployments.name_contains, 4A.GET /v2/deployments.status
  // @covers 4A.GET /v2/deployments.remote_reconciled, 4A.GET /v2/deployments.tag_value_ids
  // @covers 4A.GET /v2/deployments.image_version, 4A.GET /v2/deployments.deployment_type
  // @covers 4A.GET /v2/deployments.deployment_ids
  it("sends every filter as the interface spells it", async () => {
    const { platform, look } = await startWith([]);
    const filters = {
      ...{ nameContains: "a b", status: "READY", deploymentType: "dev_zero", imageVersion: "0.2" },
      ...{ remoteReconciled: false, tagValueIds: ["t-1", "t-2"], deploymentIds: [tenant, none, tenant] },
    };
    expect(await look("getDeployments", filters)).toEqual([]);
    expect(platform.emulator.journal.entries().map(({ query }) => query)).toEqual([
      {
        ...{ limit: ["100"], offset: ["0"], name_contains: ["a b"], status: ["READY"], deployment_type: ["dev_zero"] },
        ...{ image_version: ["0.2"], remote_reconciled: ["false"], tag_value_ids: ["t-1,t-2"] },
        deployment_ids: [`${tenant},${none}`],
      },
    ]);
  });

  it("filters by what the service knows", async () => {
    const { platform, ids, look } = await startWith(numbered(2));
    await platform.emulator.seed({ deployments: [{ name: "remote", remote_reconciled: true, status: "UNUSED" }] });
    const names = async (filter: object) =>
      (await look("getDeployments", filter)).map(({ name }: { name: string }) => name).sort();
    expect(await names({ remoteReconciled: true })).toEqual(["remote"]);
    expect(await names({ status: "READY" })).toEqual(numbered(2));
    expect(await names({ nameContains: "gent" })).toEqual(numbered(2));
    expect(await names({ deploymentIds: ids.slice(0, 1) })).toEqual(["agent-0"]);
  });

  it("asks for more ids than a page holds in parts, and tells each once, newest first", async () => {
    const { platform, ids, look } = await startWith(numbered(50));
    for (let n = 0; n < 3; n++) {
      await platform.advance(60_000);
      const { deployments = [] } = await platform.emulator.seed({
        deployments: numbered(40).map((name) => ({ name: `later-${n}-${name}` })),
      });
      ids.push(...deployments);
    }
    const found = await look("getDeployments", { deploymentIds: [...ids, ...ids] });
    expect(found).toHaveLength(ids.length);
    const born = found.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(born).toEqual(born.toSorted().toReversed());
  });

  it("leaves secret values out of each unless asked for them", async () => {
    const { look } = await startWith(["billing"], { secrets: [{ name: "KEY", value: "the-value" }] });
    expect(JSON.stringify(await look("getDeployments"))).not.toContain("the-value");
    expect(await look("getDeployments", { withSecrets: true })).toMatchObject([{ secrets: { KEY: "the-value" } }]);
  });
});

it("works with the bare interface, whatever it does not tell", async () => {
  const platform = await startPlatform({ interfaceOnly: true });
  await platform.emulator.seed({ deployments: [{ name: "billing", source_revision_config: image("1") }] });
  const look = program(platform);
  const { id, latestRevisionId } = await look("getDeployment", { name: "billing" });
  expect(await look("getDeployments")).toMatchObject([{ id }]);
  expect(await look("getRevision", { deploymentId: id, revisionId: latestRevisionId })).toEqual({
    ...{ id: latestRevisionId, status: "DEPLOYED" },
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
  });
  const { message } = await failureOf(look("getRevisions", { deploymentId: id }));
  expect(message).toMatch(
    /^GET \/v2\/deployments\/.*\/revisions: 404: .*or this server does not support the function\./s,
  );
});

it("what one key may not see is no answer for another: each connection has its own", async () => {
  const platform = await startPlatform();
  await platform.emulator.seed({ keys: [{ key: "of-red", workspaces: [tenant] }] });
  await platform.emulator.seed({ deployments: [{ name: "red", tenant_id: tenant }, { name: "other" }] });
  const asRed = program(platform, { apiKey: "of-red", tenantId: "" });
  const asked = await Promise.allSettled([
    asRed("getDeployment", { name: "red" }),
    program(platform)("getDeployment", { name: "red" }),
  ]);
  expect(asked).toMatchObject([{ status: "fulfilled", value: { tenantId: tenant } }, { status: "rejected" }]);
});
