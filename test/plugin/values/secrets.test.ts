/** Secrets over gRPC: every response marks them, and no error or line contains them, whatever form requests have. */
import type { PropertyMap } from "../../../provider/schema/schema";
import { startAgents } from "../../support/agents/threads";
import { dockerDeployment, withImage } from "../../support/deployments/inputs";
import { destination } from "../../support/exports/destinations";
import { secret, unmarkedPaths } from "../../support/hosts/plugin-secrets";
import { type Platform, startPlatform } from "../../support/platform";
import { PluginLife, startLife } from "../support/life";

const CANARY = "canary-5f2e9b";

function expectNoLeak({ returned, texts }: PluginLife): void {
  expect(unmarkedPaths(returned, CANARY)).toEqual([]);
  expect(texts.join("\n")).not.toContain(CANARY);
}

/** Marks a value as secret, or returns it as it is. */
type Form = (value: unknown) => unknown;

interface Case {
  platform: Platform;
  kind: string;
  declared: PropertyMap;
  changed: PropertyMap;
}

/** Resources with a canary in every secret place of their definition. */
const cases: [string, (form: Form) => Promise<Case>][] = Object.entries({
  Deployment: async (form: Form) => ({
    platform: await startPlatform(),
    kind: "Deployment",
    declared: dockerDeployment({
      ...{ secrets: { MODEL_KEY: form(CANARY) }, environment: { TOKEN: secret(CANARY), MODE: "fast" } },
      sourceConfig: { customUrl: secret(`https://${CANARY}.example`) },
    }),
    changed: dockerDeployment({
      ...{ secrets: { MODEL_KEY: form(CANARY), OTHER: form(`${CANARY}-2`) }, environment: { TOKEN: secret(CANARY) } },
      ...{ ...withImage("2"), sourceConfig: { customUrl: secret(`https://${CANARY}.example`) } },
    }),
  }),
  BulkExportDestination: async (form: Form) => {
    const platform = await startPlatform();
    const credentials = { accessKeyId: form(`${CANARY}-id`), secretAccessKey: form(CANARY) };
    const declared = { ...destination(platform), credentials };
    return { platform, kind: "BulkExportDestination", declared, changed: { ...declared, displayName: "other" } };
  },
  Thread: async (form: Form) => {
    const agents = await startAgents();
    const metadata = { graph_id: form("echo"), note: form(CANARY), deep: form({ list: [CANARY] }) };
    const declared = agents.threadInputs({ sensitive: true, metadata });
    const changed = agents.threadInputs({ sensitive: true, metadata: { ...metadata, more: form(CANARY) } });
    return { platform: agents, kind: "Thread", declared, changed };
  },
});

/** What a program may declare secret of the kinds on an agent server. */
const sensitiveInputs = {
  Assistant: { graphId: "echo", context: { prefix: CANARY }, config: { tags: [CANARY] }, metadata: { note: CANARY } },
  Cron: { assistantId: "echo", schedule: "0 3 * * *", input: { text: CANARY }, metadata: { note: CANARY } },
};
for (const [kind, inputs] of Object.entries(sensitiveInputs))
  cases.push([
    kind,
    async (form) => {
      const agents = await startAgents();
      const metadata = { note: form(CANARY) };
      const declared = { deploymentId: agents.deploymentId, ...inputs, metadata, sensitive: true };
      const changed = { ...declared, metadata: { ...metadata, more: CANARY } };
      return { platform: agents, kind, declared, changed };
    },
  ]);

test.each(Object.entries(sensitiveInputs))(
  "What is read of a %s by its ID alone is encrypted, since the program may declare it sensitive",
  async (kind, inputs) => {
    const agents = await startAgents();
    const life = await PluginLife.start(agents, kind);
    await life.create({ deploymentId: agents.deploymentId, ...inputs, sensitive: true });
    const imported = await PluginLife.start(agents, kind);
    imported.id = `${agents.deploymentId}/${life.id}`;
    expect(JSON.stringify(await imported.refresh())).toContain(CANARY);
    expectNoLeak(imported);
  },
);

const forms: [string, Form][] = [
  ["marked", secret],
  ["in plain text", (value) => value],
];

describe.each(cases)("the secrets of a %s", (kind, start) => {
  it.each(forms)("that requests contain %s are marked in previews, results, refreshes and errors", async (_, form) => {
    const { platform, declared, changed } = await start(form);
    const life = await PluginLife.start(platform, kind);
    await life.create(declared, { isPreview: true });
    await life.create(declared).catch(() => undefined);
    await life.update(changed, { isPreview: true }).catch(() => undefined);
    await life.update(changed).catch(() => undefined);
    await life.refresh().catch(() => undefined);
    const echo = { status: 400, body: { detail: `refused ${CANARY}` }, times: 20 };
    for (const method of ["PATCH", "POST"]) await platform.emulator.faults.add({ method, ...echo });
    await life.update(declared).catch(() => undefined);
    await (await PluginLife.start(platform, kind)).create(declared).catch(() => undefined);
    expect(life.returned.length).toBeGreaterThan(4);
    expect(JSON.stringify(life.returned)).toContain(CANARY);
    expectNoLeak(life);
  });
});

test("A secret that the program marks inside a map or a list stays secret, also after a refresh", async () => {
  const agents = await startAgents();
  const metadata = (more: PropertyMap = {}) => ({
    ...{ graph_id: "echo", deep: { key: secret(CANARY), plain: "visible" }, list: ["visible", secret(CANARY)] },
    ...more,
  });
  const life = await PluginLife.start(agents, "Thread");
  await life.create(agents.threadInputs({ metadata: metadata() }), { isPreview: true });
  const created = await life.create(agents.threadInputs({ metadata: metadata() }));
  expect(created.metadata).toMatchObject({ deep: { key: secret(CANARY), plain: "visible" } });
  await life.refresh();
  await life.update(agents.threadInputs({ metadata: metadata({ more: 1 }) }));
  await life.refresh();
  expect(life.texts.filter((text) => text.includes(CANARY))).toEqual([]);
  expectNoLeak(life);
});

test("A secret that the program marks stays secret in a partial failure, also its value from before", async () => {
  const platform = await startPlatform();
  const declared = (version: unknown, tag = "1") =>
    dockerDeployment({ redeployTriggers: { version, other: "visible" }, ...withImage(tag), rollbackOnFailure: true });
  const life = await PluginLife.start(platform);
  await platform.emulator.faults.add({ revision: { ends: "BUILD_FAILED" } });
  await expect(life.create(declared(secret(CANARY)))).rejects.toThrow("BUILD_FAILED");
  expect(life.id).not.toBe("");
  await life.update(declared(secret(CANARY)));
  await platform.emulator.faults.add({ method: "PATCH", status: 400, body: { detail: `refused ${CANARY}` } });
  await expect(life.update(declared("now-public", "2"))).rejects.toThrow("refused");
  await platform.emulator.faults.add({ revision: { ends: "BUILD_FAILED" } });
  await expect(life.update(declared("now-public", "2"))).rejects.toThrow("Rolled back");
  expect(JSON.stringify(life.returned.at(-1))).toContain(CANARY);
  expectNoLeak(life);
});

test("A result of a function marks its secrets", async () => {
  const { life } = await startLife();
  await life.create(dockerDeployment({ secrets: { MODEL_KEY: CANARY } }));
  for (const [name, args] of [
    ["getDeployment", { id: life.id, withSecrets: true }],
    ["getDeployments", { withSecrets: true }],
  ] as const)
    life.returned.push(await life.invoke(name, args));
  expect(JSON.stringify(life.returned.slice(-2)).split(CANARY)).toHaveLength(3);
  expectNoLeak(life);
});

test("No error and no line contains a credential of the settings", async () => {
  const platform = await startPlatform();
  const settings = { apiKey: secret(`${CANARY}-key`), agentHeaders: secret(JSON.stringify({ "x-team": CANARY })) };
  const body = { detail: `bad key ${CANARY}-key and ${CANARY}` };
  await platform.emulator.faults.add({ status: 400, body, times: 50 });
  const life = await PluginLife.start(platform, "Deployment", settings);
  await expect(life.create(dockerDeployment())).rejects.toThrow("bad key");
  await expect(life.invoke("getDeployments", {})).rejects.toThrow("bad key");
  expectNoLeak(life);
});
