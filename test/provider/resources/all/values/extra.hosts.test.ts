/** The input `extra`: fields of a server that no input has are sent, shown in previews, compared and no longer sent. */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment } from "../../../../support/deployments/inputs";
import { failureOf } from "../../../../support/errors";
import { tracingSettings } from "../../../../support/exports/tracing";
import type { Platform } from "../../../../support/platform";
import { type Echo, merged, startEcho } from "../../../../support/servers/echo";
import { dynamicHostOnly, expectClean, Stack, sampled, stateOf } from "../../../../support/stack";
import { sampleKinds } from "../kinds";

/** Fields that servers have and no input, and some that no server has: by kind, what a program declares. */
const FIELDS: Record<string, PropertyMap> = {
  Deployment: {
    ...{ tracked_packages: ["deepagents:1"], shareable: true, route_through_gateway: false },
    ...{ managed_deep_agent: true, delete_tracing_project: true, hidden_tier: { level: 3 } },
    source_config: { resource_spec: { executor_cpu: 2, executor_memory_mb: 4096 }, static_outbound: 1.0 },
  },
  Assistant: { new_policy: { level: 3, zones: ["a", "b"] }, hidden_tier: "gold", "dotted.key": 1 },
  Thread: { extracted_keys: ["a"], new_policy: { level: 3 }, hidden_tier: "gold" },
  Cron: { owner_id: "someone", new_policy: { level: 3 }, hidden_tier: "gold" },
  BulkExportDestination: { config: { session_token: "token", storage_class: "cold" }, hidden_tier: "gold" },
  BulkExport: { tag_value_ids: ["a"], new_policy: { level: 3 }, hidden_tier: "gold" },
  ScheduledBulkExport: { tag_value_ids: ["a"], new_policy: { level: 3 }, hidden_tier: "gold" },
};
const isReplaced = (kind: string) => kind.includes("Export");

interface Started {
  echo: Echo;
  stack: Stack;
  declared: PropertyMap;
  platform: Platform;
  /** The path of a create. */
  path: string;
}

/** Starts a server that shows all fields but those that are hidden, and the resource of a kind. */
async function start(kind: string, fields = FIELDS[kind] as PropertyMap): Promise<Started> {
  const sample = await sampleKinds[kind]?.start();
  if (!sample) throw new Error(kind);
  const { platform } = sample;
  const echo = await startEcho(platform, fields, (key) => !key.includes("hidden"));
  const { deploymentId, ...rest } = sample.declared;
  const place = deploymentId === undefined ? {} : { deploymentUrl: `${echo.url}/agents/${deploymentId}` };
  const { clock } = platform;
  const config = { ...tracingSettings(echo) };
  const stack = new Stack({ clock, url: echo.url }, { kind, name: "sample", config });
  return { echo, stack, declared: { ...rest, ...place, extra: fields }, platform, path: sample.path("").slice(0, -1) };
}

describe.each(sampled(Object.keys(FIELDS)))("%s: fields that no input has", (kind) => {
  const fields = FIELDS[kind] as PropertyMap;

  it("are sent with the create, and are no difference afterwards, whether the server shows them or not", async () => {
    const { echo, stack, declared } = await start(kind);
    await stack.up(declared);
    expect(echo.bodies.find((body) => Object.hasOwn(body, "hidden_tier"))).toMatchObject(fields);
    expect(stateOf(stack).outputs.extra).toEqual(fields);
    await expectClean(stack, declared);
  });

  it("are changed alone, or with the object where no update can, as the preview shows", async () => {
    const { echo, stack, declared } = await start(kind);
    await stack.up(declared);
    echo.bodies.length = 0;
    stack.messages = [];
    const changed = { ...declared, extra: { ...fields, hidden_tier: "silver" } };
    expect(await stack.up(changed)).toBe(isReplaced(kind) ? "replace" : "update");
    const text = stack.messages.join("\n");
    expect(text).toMatch(
      isReplaced(kind) ? /(REPLACED|restarts).*extra\.hidden_tier/ : /extra\.hidden_tier.*; as the server decides/,
    );
    const sent = echo.bodies.find((body) => Object.hasOwn(body, "hidden_tier"));
    expect(sent).toMatchObject(isReplaced(kind) ? changed.extra : { hidden_tier: "silver" });
    if (!isReplaced(kind))
      for (const key of Object.keys(fields).filter((one) => one !== "hidden_tier"))
        expect(sent).not.toHaveProperty([key]);
    await expectClean(stack, changed);
  });

  it("are compared where the server shows them, and sent again where an update can", async () => {
    const { echo, stack, declared } = await start(kind);
    const { id } = await stack.stateAfter(declared);
    const [key = "", value] = Object.entries(fields)[0] ?? [];
    const other = Array.isArray(value) ? { [key]: ["other"] } : { [key]: { level: 4, session_token: "other" } };
    echo.stored.set(id, merged(echo.stored.get(id) ?? {}, { ...other, unrelated: 1 }));
    echo.bodies.length = 0;
    stack.messages = [];
    expect(await stack.refresh()).toBe(isReplaced(kind) ? "same" : "changed");
    if (isReplaced(kind)) expect(stack.messages.join("\n")).toContain("which no `pulumi up` of this stack changed");
    expect(await stack.up(declared)).toBe(isReplaced(kind) ? "same" : "update");
    if (!isReplaced(kind)) expect(echo.bodies.at(-1)).toHaveProperty([key]);
    if (!isReplaced(kind)) await expectClean(stack, declared);
  });

  it("are no longer sent once the program does not declare them, with a warning and without a request", async () => {
    const { echo, stack, declared } = await start(kind);
    await stack.up(declared);
    echo.bodies.length = 0;
    stack.messages = [];
    const { extra: _, ...rest } = declared;
    expect(await stack.up(rest)).toBe("update");
    expect(stack.messages.join("\n")).toContain("extra.hidden_tier");
    expect(stack.messages.join("\n")).toMatch(
      /warn: .*is no longer declared, so it is no longer sent, and the server keeps its value/,
    );
    expect(stack.messages.join("\n")).toContain("changes nothing on the server");
    expect(echo.bodies).toEqual([]);
    expect(stateOf(stack).outputs).not.toHaveProperty("extra");
    stack.messages = [];
    await expectClean(stack, rest);
    expect(stack.messages.join("\n")).not.toContain("no longer");
  });

  dynamicHostOnly(it)("are compared in an import, which nothing of them changes on the server", async () => {
    const { echo, stack, declared } = await start(kind);
    const { id } = await stack.stateAfter(declared);
    echo.bodies.length = 0;
    const place = kind === "BulkExport" || !("deploymentUrl" in declared) ? id : `${declared.deploymentUrl}#${id}`;
    const importing = stack.fork();
    await importing.up(declared, importing.host(), { __import: place.includes("#") ? id : place });
    expect(echo.bodies).toEqual([]);
    await expectClean(importing, declared);
  });
});

it.each(sampled(["Deployment", "Assistant", "Thread", "Cron"]))(
  "%s: an update whose response is lost sends the fields again that the server does not show",
  async (kind) => {
    const { platform, echo, stack, declared, path } = await start(kind);
    await stack.up(declared);
    const changed = { ...declared, extra: { ...(declared.extra as PropertyMap), hidden_tier: "silver" } };
    const fault = { method: "PATCH", path: `${path}/*`, times: 1, status: 500 };
    await platform.addFault(fault);
    await failureOf(stack.up(changed));
    echo.bodies.length = 0;
    expect(await stack.up(changed)).toBe("update");
    expect(echo.bodies.at(-1)).toMatchObject({ hidden_tier: "silver" });
    await expectClean(stack, changed);
  },
);

test("Thread: a copy gets the fields by an update, since a copy has no body", async () => {
  const { echo, stack, declared } = await start("Thread");
  await stack.up(declared);
  const copy = stack.fork({ name: "copy" });
  const copied = { ...declared, copyFrom: stateOf(stack).id };
  echo.bodies.length = 0;
  await copy.up(copied);
  expect(echo.bodies.at(-1)).toMatchObject(FIELDS.Thread as PropertyMap);
  await expectClean(copy, copied);
});

const TOKEN = "what-nobody-else-may-read";
it.each(sampled(["Deployment", "Assistant", "BulkExport"]))(
  "Secrets in extra of a %s are in no message, no error, and no fact in state",
  async (kind) => {
    const { platform, echo, stack, declared, path } = await start(kind, { login: {} });
    const secret = { ...declared, extra: { login: { token: TOKEN, user: "u" } } };
    const program = (inputs: PropertyMap) => ({ __secretInputs: ["extra.login.token"], ...inputs });
    await platform.addFault({ method: "POST", path, status: 422, times: 1, body: { detail: `bad ${TOKEN}` } });
    expect((await failureOf(stack.up(secret, stack.host(), program({})))).message).not.toContain(TOKEN);
    await stack.up(secret, stack.host(), program({}));
    await stack.refresh();
    echo.stored.set(stateOf(stack).id, { login: { token: `${TOKEN}-2`, user: "v" } });
    await stack.refresh();
    await stack.up(secret, stack.host(), program({}));
    expect(stack.messages.join("\n")).not.toContain(TOKEN);
    expect(JSON.stringify(stateOf(stack).outputs.__serverValues ?? "")).not.toContain(TOKEN);
  },
);

test("Deployment: a field of the specification is sent with the whole of it, which a PATCH overwrites", async () => {
  const { echo, stack, declared } = await start("Deployment");
  const spec = { cpu: 2, memoryMb: 4096 };
  const withSpec = (cpu: number, executor_cpu: number) => ({
    ...declared,
    sourceConfig: { resourceSpec: { ...spec, cpu } },
    extra: { source_config: { resource_spec: { executor_cpu } } },
  });
  await stack.up(withSpec(2, 1));
  await stack.up(withSpec(2, 3));
  expect(echo.bodies.at(-1)).toMatchObject({
    source_config: { resource_spec: { cpu: 2, memory_mb: 4096, executor_cpu: 3 } },
  });
  await stack.up(withSpec(3, 3));
  expect(echo.bodies.at(-1)).toMatchObject({
    source_config: { resource_spec: { cpu: 3, memory_mb: 4096, executor_cpu: 3 } },
  });
  await expectClean(stack, withSpec(3, 3));
});

test("Deployment: a platform that shows some of the fields compares those, and ignores the others", async () => {
  const { platform, stack } = await startDeployment({ server: { platform: "today" } });
  const declared = dockerDeployment({
    extra: { tracked_packages: ["a:1"], shareable: true, route_through_gateway: false },
  });
  await stack.up(declared);
  const shown = (await platform.call("GET", `/v2/deployments/${stateOf(stack).id}`)).body;
  expect(shown).toMatchObject({ tracked_packages: ["a:1"], shareable: true });
  await expectClean(stack, declared);
});

test("Deployment: a field that the platform shows as null although it was sent makes no difference", async () => {
  const { platform, stack } = await startDeployment({ server: { platform: "today", strict: false } });
  const declared = dockerDeployment({ extra: { created_by: "someone", shareable: true } });
  await stack.up(declared);
  expect((await platform.call("GET", `/v2/deployments/${stateOf(stack).id}`)).body).toMatchObject({ created_by: null });
  await expectClean(stack, declared);
  const changed = dockerDeployment({ extra: { created_by: "someone else", shareable: true } });
  expect(await stack.up(changed)).toBe("update");
  await expectClean(stack, changed);
});
