/** The input `environment`: variables that are not secret, which the server keeps in one list with `secrets`. */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { countRevisions, createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { failureOf } from "../../../../support/errors";
import type { Platform, RemoteObject } from "../../../../support/platform";
import { startRewritingProxy } from "../../../../support/servers/rewriting-proxy";
import { dynamicHostOnly, expectClean, offlineStack, type Stack, startStack, stateOf } from "../../../../support/stack";

const KEY = { MODEL_KEY: "a-model-key" };
const declare = (environment?: PropertyMap, secrets: PropertyMap | null = KEY, change: PropertyMap = {}) =>
  dockerDeployment({ ...(environment && { environment }), ...(secrets && { secrets }), ...change });

/** Returns the variables that the agent gets. */
async function variablesOf(platform: Platform, id: string): Promise<PropertyMap> {
  const { secrets } = await platform.getDeployment(id);
  return Object.fromEntries(secrets.map(({ name, value }) => [name, value]).filter(([name]) => name !== MARKER));
}
const MARKER = "PULUMI_RESOURCE";
const patches = (platform: Platform) =>
  platform.emulator.requestLog.entries({ method: "PATCH" }).map(({ body }) => Object.keys(body as object));

it("is sent with the secrets, in plain text in state, and has no difference", async () => {
  const declared = declare({ LOG_LEVEL: "info", "a.b": "" });
  const { platform, stack, id } = await createDeployment(declared);
  expect(await variablesOf(platform, id)).toEqual({ LOG_LEVEL: "info", "a.b": "", ...KEY });
  await expectClean(stack, declared);
  expect(stateOf(stack).outputs).toMatchObject({ environment: { LOG_LEVEL: "info", "a.b": "" }, secrets: KEY });
});

it("makes one revision for a change of both, which the preview shows with the values that are not secret", async () => {
  const { platform, stack, id } = await createDeployment(declare({ LOG_LEVEL: "info", OLD: "1" }));
  stack.messages = [];
  await stack.up(declare({ LOG_LEVEL: "debug" }, { MODEL_KEY: "another-key" }));
  expect(stack.messages).toContain(
    "info: new revision: environment.LOG_LEVEL info -> debug, environment.OLD (removed), secrets.MODEL_KEY",
  );
  expect(stack.messages.join()).toMatch(/environment.OLD: is removed\. .* or it was added outside of the program/);
  expect(patches(platform)).toEqual([["secrets"]]);
  expect(await countRevisions(platform, id)).toBe(2);
  expect(await variablesOf(platform, id)).toEqual({ LOG_LEVEL: "debug", MODEL_KEY: "another-key" });
});

it("and secrets keep what others have added or rotated, until it is changed, with a warning", async () => {
  const { platform, stack, id } = await createDeployment(declare({ LOG_LEVEL: "info" }));
  const { secrets } = await platform.getDeployment(id);
  const rotated = secrets.map((one) => (one.name === "MODEL_KEY" ? { ...one, value: "rotated" } : one));
  await platform.call("PATCH", `/v2/deployments/${id}`, { secrets: [...rotated, { name: "ADDED", value: "x" }] });
  await platform.advance(60_000);
  await stack.up(declare({ LOG_LEVEL: "debug" }));
  expect(await variablesOf(platform, id)).toEqual({ LOG_LEVEL: "debug", MODEL_KEY: "rotated", ADDED: "x" });
  expect(stack.messages.join()).toMatch(/This update leaves what differs .*: secrets\.ADDED, secrets\.MODEL_KEY\./);
  await stack.up(declare({ LOG_LEVEL: "debug" }, { MODEL_KEY: "own" }));
  expect(await variablesOf(platform, id)).toEqual({ LOG_LEVEL: "debug", MODEL_KEY: "own", ADDED: "x" });
});

it("can be removed with the secrets, unless there is no marker", async () => {
  const { platform, stack, id } = await createDeployment(declare({ LOG_LEVEL: "info" }));
  await stack.up(declare(undefined, null));
  expect(await variablesOf(platform, id)).toEqual({});
  const unmarked = await createDeployment(declare({ LOG_LEVEL: "info" }, null), {
    stack: { config: { ownerMarker: "false" } },
  });
  await expect(unmarked.stack.up(declare(undefined, null))).rejects.toThrow("cannot become empty without");
  expect(await unmarked.stack.up(declare(undefined, { LOG_LEVEL: "info" }))).toBe("update");
  expect(patches(unmarked.platform)).toEqual([]);
});

describe("a name that moves", () => {
  const inSecrets = declare(undefined, { ...KEY, LOG_LEVEL: "info", MODE: "fast" });
  const inEnvironment = declare({ LOG_LEVEL: "info", MODE: "fast" });

  it.each([
    ["to environment", inSecrets, inEnvironment],
    ["to secrets", inEnvironment, inSecrets],
  ])("%s with the same value sends nothing, makes no revision, and needs no update after it", async (_to, from, to) => {
    const { platform, stack, id } = await createDeployment(from);
    stack.messages = [];
    expect(await stack.up(to)).toBe("update");
    expect(stack.messages).toHaveLength(1);
    expect(stack.messages[0]).toMatch(/^info: changes nothing on the server: .*; moved with the same value$/);
    expect(platform.requests()).toEqual([]);
    await expectClean(stack, to);
    expect(await countRevisions(platform, id)).toBe(1);
    expect(stateOf(stack).outputs).toMatchObject(to);
  });

  it("in the same change as another one sends only that one", async () => {
    const { platform, stack } = await createDeployment(inSecrets);
    await stack.up({ ...inEnvironment, ...withImage("2") });
    const [row = ""] = stack.messages.filter((text) => text.startsWith("info:"));
    for (const text of ["new revision: imageUri", "; moved with the same value"]) expect(row).toContain(text);
    expect(patches(platform)).toEqual([["source_revision_config"]]);
    await expectClean(stack, { ...inEnvironment, ...withImage("2") });
  });

  it("with another value, or beside a name that changes, makes one revision", async () => {
    const { platform, stack, id } = await createDeployment(inSecrets);
    const declared = declare({ LOG_LEVEL: "debug", MODE: "fast" });
    await stack.up(declared);
    expect(stack.messages.join("\n")).not.toContain("is removed");
    expect(patches(platform)).toEqual([["secrets"]]);
    expect(await countRevisions(platform, id)).toBe(2);
    await expectClean(stack, declared);
  });

  it("does not retry a revision of others that failed", async () => {
    const { platform, stack, id } = await createDeployment(inSecrets);
    await platform.addFault({ revision: { ends: "BUILD_FAILED" } });
    const image = { source_revision_config: { image_uri: "registry.example.com/agent:other" } };
    await platform.call("PATCH", `/v2/deployments/${id}`, image);
    await platform.advance(60_000);
    await platform.emulator.requestLog.clear();
    await stack.up(inEnvironment);
    expect([platform.requests(), await countRevisions(platform, id)]).toEqual([[], 2]);
  });
});

describe("a refresh", () => {
  it("compares the declared names there, and all others as secrets", async () => {
    const declared = declare({ LOG_LEVEL: "info", MODE: "fast" });
    const { platform, stack, id } = await createDeployment(declared);
    await platform.updateOutOfBand(id, {
      secrets: [
        { name: "LOG_LEVEL", value: "debug" },
        { name: "NEW", value: "by-hand" },
      ],
    });
    expect(await stack.refresh()).toBe("changed");
    expect(stateOf(stack).inputs).toMatchObject({ environment: { LOG_LEVEL: "debug" }, secrets: { NEW: "by-hand" } });
    await stack.up(declared);
    expect(await variablesOf(platform, id)).toEqual({ LOG_LEVEL: "info", MODE: "fast", ...KEY });
    await expectClean(stack, declared);
  });

  it.each([
    ["masks", "********"],
    ["hides", undefined],
  ])("finds no difference where the server %s values, and an update sends all of them", async (_what, mask) => {
    const { platform } = await startDeployment();
    const masked = await startRewritingProxy(platform, (remote: RemoteObject) => {
      if (mask === undefined) delete (remote as { secrets?: unknown }).secrets;
      else remote.secrets = remote.secrets.map(({ name }) => ({ name, value: mask }));
    });
    const stack = await startStack(masked, declare({ LOG_LEVEL: "info", MODE: "fast" }));
    await expectClean(stack, declare({ LOG_LEVEL: "info", MODE: "fast" }));
    await stack.up(declare({ LOG_LEVEL: "info" }, { ...KEY, MODE: "fast" }));
    expect(patches(platform)).toEqual([]);
    await stack.up(declare({ LOG_LEVEL: "debug" }));
    expect(await variablesOf(platform, stateOf(stack).id)).toEqual({ LOG_LEVEL: "debug", ...KEY });
    await expectClean(stack, declare({ LOG_LEVEL: "debug" }));
  });
});

it("is updated without writing the masks of a server that masks some values by name", async () => {
  const { platform } = await startDeployment();
  const masked = await startRewritingProxy(platform, (remote: RemoteObject) => {
    remote.secrets = remote.secrets.map((one) => (one.name === "MODEL_KEY" ? { ...one, value: "sk-…9f2" } : one));
  });
  const stack = await startStack(masked, declare({ LOG_LEVEL: "info" }));
  await stack.up(declare({ LOG_LEVEL: "debug" }));
  expect(await variablesOf(platform, stateOf(stack).id)).toEqual({ LOG_LEVEL: "debug", ...KEY });
});

it("is read as secrets by an import of the ID alone", async () => {
  const { stack, id } = await createDeployment(declare({ LOG_LEVEL: "info" }));
  const imported = stack.fork();
  await imported.import(id);
  expect(stateOf(imported).inputs).toMatchObject({ secrets: { LOG_LEVEL: "info", ...KEY } });
  expect(stateOf(imported).inputs).not.toHaveProperty("environment");
});

dynamicHostOnly(it)("is compared by an import of a program that declares it", async () => {
  const declared = declare({ LOG_LEVEL: "info" });
  const { platform, stack, id } = await createDeployment(declared);
  const imported = stack.fork();
  await imported.up(declared, imported.host(), { __import: id });
  await expectClean(imported, declared);
  const other = stack.fork();
  const wrong = other.up(declare({ LOG_LEVEL: "debug" }), other.host(), { __import: id });
  await expect(wrong).rejects.toThrow('environment.LOG_LEVEL: server has "info", program has "debug"');
  expect(patches(platform)).toEqual([]);
});

describe("a check", () => {
  const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

  it.each<[string, PropertyMap, RegExp]>([
    ["a name that is in secrets as well", { MODEL_KEY: "x" }, /^environment\.MODEL_KEY is also in secrets; declare/],
    ["such a name with an unknown value", { MODEL_KEY: UNKNOWN }, /^environment\.MODEL_KEY is also in secrets/],
    ["the marker", { [MARKER]: "x" }, /environment\.PULUMI_RESOURCE is reserved for the ownership marker/],
    ["an empty name", { "": "x" }, /environment has an entry with an empty name/],
    ["a number", { RETRIES: 3 }, /^environment\.RETRIES must be a string, not a number/],
    ["null", { RETRIES: null }, /^environment\.RETRIES must be a string/],
  ])("rejects %s", async (_what, environment, message) => {
    await expect(offlineStack().check(declare(environment))).rejects.toThrow(message);
  });

  it("warns of names of the platform, unportable ones, references, and missing values", async () => {
    const stack = offlineStack();
    await stack.check(declare({ PORT: "80", "1st": "x", EMPTY: "", WRONG: "undefined" }));
    await stack.check(declare({ A: "1" }, KEY, { secretReferences: { A: { secretName: "s", secretKey: "k" } } }));
    const rows = stack.messages.join("\n");
    for (const text of [
      ...["environment.PORT: is set by the platform", "environment.1st: is not a portable name"],
      ...["environment.EMPTY: is empty. If that is not on purpose", 'environment.WRONG: contains "undefined"'],
      "secretReferences.A: is also in environment",
    ])
      expect(rows).toContain(text);
  });
});

describe("a value", () => {
  it("that is not secret is shown in errors, and one of a secret is not", async () => {
    const { platform, stack } = await createDeployment(declare({ LOG_LEVEL: "verbose" }));
    const body = { detail: "LOG_LEVEL verbose or trace, MODEL_KEY a-model-key" };
    await platform.addFault({ method: "PATCH", path: "/v2/deployments/*", status: 400, body });
    await expect(stack.up(declare({ LOG_LEVEL: "trace" }))).rejects.toThrow(
      "LOG_LEVEL verbose or trace, MODEL_KEY [secret]",
    );
  });

  it("that the program marks secret is shown nowhere", async () => {
    const { platform, stack } = await createDeployment();
    const hidden = (one: string) => [declare({ TOKEN: one }), stack.host(), { __secretInputs: ["environment.TOKEN"] }];
    type Up = Parameters<Stack["up"]>;
    await stack.up(...(hidden("first-token") as Up));
    const body = { detail: "first-token and second-token" };
    await platform.addFault({ method: "PATCH", path: "/v2/deployments/*", status: 400, body });
    const { message } = await failureOf(stack.up(...(hidden("second-token") as Up)));
    expect(message).toContain("[secret] and [secret]");
    expect(stack.messages.join()).toContain("new revision: environment.TOKEN");
    expect(`${message}${stack.messages}`).not.toMatch(/first-token|second-token/);
  });
});
