/** A BulkExportDestination that exists already, from an interrupted run or another program. */
import { failureOf } from "../../../support/errors";
import {
  createDestination,
  destination,
  destinationStack,
  destinationsIn,
} from "../../../support/exports/destinations";
import { toSnakeCase } from "../../../support/exports/exports";
import { callTracingApi } from "../../../support/exports/tracing";
import { type Platform, startPlatform } from "../../../support/platform";
import { dynamicHostOnly, expectClean, stateOf } from "../../../support/stack";

const ALL = "/api/v1/bulk-exports/destinations";
const ONE = `${ALL}/{id}`;
const withStyle = (addressingStyle: string) => ({ config: { configKwargsS3: { addressingStyle } } });
const TOKEN = { sessionToken: "a-token-of-the-store" };

describe("an equivalent BulkExportDestination", () => {
  it("fails the create with its ID and both options", async () => {
    const { platform, stack } = await createDestination();
    const { id } = stateOf(stack);
    const secondStack = stack.fork();
    const { message } = await failureOf(secondStack.up(destination(platform)));
    for (const text of [id, `import: "${id}"`, "allowDuplicate: true"]) expect(message).toContain(text);
    expect(platform.requests({ method: "POST" })).toEqual([]);
    expect(await secondStack.up(destination(platform, { allowDuplicate: true }))).toBe("create");
    expect(await destinationsIn(platform)).toHaveLength(2);
  });

  it.each([
    ["name", { displayName: "others" }],
    ["place", { config: { prefix: "b" } }],
    ["option", withStyle("path")],
  ])("is not one with another %s", async (_what, change) => {
    const { platform, stack } = await createDestination(withStyle("auto"));
    expect(await stack.fork().up(destination(platform, change))).toBe("create");
  });
});

it.each([
  ["displayName", {}, { displayName: "renamed" }],
  ["config.prefix", {}, { config: { prefix: "elsewhere" } }],
  ["config", withStyle("auto"), withStyle("path")],
])("a BulkExportDestination that a killed run left before %s changed is reported", async (path, left, change) => {
  const platform = await startPlatform();
  const { id } = (
    await callTracingApi(platform, "POST", "bulk-exports/destinations", toSnakeCase(destination(platform, left)))
  ).body;
  await platform.emulator.requestLog.clear();
  const stack = destinationStack(platform);
  await stack.up(destination(platform, change));
  expect(platform.requests()).toEqual([`GET ${ALL}`, `POST ${ALL}`, `GET ${ALL}`]);
  const [warning] = stack.messages.filter((row) => row.startsWith("warn"));
  expect(warning).toContain(`The destination ${id} differs from this one in ${path} alone.`);
  expect(warning).toContain(`DELETE ${platform.url}${ALL}/<ID>`);
});

describe("a BulkExportDestination with adoptExisting", () => {
  /** Creates an export to the destination, which the server then keeps. */
  const useDestination = (platform: Platform, id: string) =>
    callTracingApi(platform, "POST", "bulk-exports", {
      ...{ bulk_export_destination_id: id, all_experiments: true },
      ...{ start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-02T00:00:00Z" },
    });
  const adopting = { adoptExisting: true };

  it("can be destroyed and created again by the same program, although exports refer to it", async () => {
    const { platform, stack, id } = await createDestination(adopting);
    await useDestination(platform, id);
    await stack.destroy();
    expect(stack.messages.join()).toContain(`info: The destination ${id} ("traces") stays on the server`);
    await platform.emulator.requestLog.clear();
    expect(await stack.up(destination(platform, adopting))).toBe("create");
    expect(platform.requests()).toEqual([`GET ${ALL}`, `PATCH ${ONE}`]);
    const outputs = { adopted: true, createdAt: expect.any(String) };
    expect(stateOf(stack)).toMatchObject({ id, failed: false, outputs });
    expect(stack.messages.join()).toContain(
      `destination ${id} ("traces") exists already, and this stack now manages it.`,
    );
    await expectClean(stack, destination(platform, adopting));
    expect(stateOf(stack).outputs.adopted).toBe(true);
    expect(await destinationsIn(platform)).toHaveLength(1);
  });

  it("adopts the one that a program without the option left, once the option is set", async () => {
    const { platform, stack, id } = await createDestination();
    await useDestination(platform, id);
    await stack.destroy();
    await expect(stack.up(destination(platform))).rejects.toThrow(
      "To adopt it in this and later runs, set  adoptExisting: true",
    );
    expect(await stack.up(destination(platform, adopting))).toBe("create");
    expect(stateOf(stack).id).toBe(id);
  });

  it("is never deleted by a destroy, whether another stack created it or may have adopted it", async () => {
    const { platform, stack, id } = await createDestination(adopting);
    const other = stack.fork();
    await other.up(destination(platform, adopting));
    expect(stateOf(other).id).toBe(id);
    // The flag in state protects the adopted destination when the program no longer has the option.
    expect(await other.up(destination(platform))).toBe("update");
    await other.destroy();
    await stack.destroy();
    expect((await destinationsIn(platform)).map((remote) => remote.id)).toEqual([id]);
    expect(platform.requests({ method: "DELETE" })).toEqual([]);
  });

  it("changes nothing when the server rejects the declared credentials", async () => {
    const { platform, stack, id } = await createDestination();
    const other = stack.fork();
    const wrong = { ...adopting, credentials: { secretAccessKey: "wrong" } };
    await expect(other.up(destination(platform, wrong))).rejects.toThrow("credentials.secretAccessKey");
    expect(other.state).toBeUndefined();
    expect((await destinationsIn(platform)).map((remote) => remote.id)).toEqual([id]);
  });

  it("is created when the workspace has only another one, and fails when several are identical", async () => {
    const { platform, stack } = await createDestination();
    const renamed = destination(platform, { ...adopting, displayName: "others" });
    const other = stack.fork();
    expect(await other.up(renamed)).toBe("create");
    expect(stateOf(other).outputs.adopted).toBeUndefined();
    await stack.fork().up(destination(platform, { allowDuplicate: true }));
    await expect(stack.fork().up(destination(platform, adopting))).rejects.toThrow(
      /adoptExisting: 2 destinations are identical \(IDs .*, .*\)\. No changes were made\./,
    );
  });

  it("keeps its credentials when the server cannot change them", async () => {
    const { platform, stack, id } = await createDestination({}, { without: ["destination-patch"] });
    const other = stack.fork();
    expect(await other.up(destination(platform, adopting))).toBe("create");
    expect(stateOf(other).id).toBe(id);
    expect(other.messages.join()).toContain("It keeps its credentials, which this server cannot change.");
  });

  it("keeps its credentials when the program declares neither a key nor a role", async () => {
    const { platform, stack } = await createDestination({}, { platform: "today" });
    const { credentials: _, ...keyless } = destination(platform, adopting);
    expect(await stack.fork().up(keyless)).toBe("create");
    expect(platform.requests()).toEqual([`GET ${ALL}`]);
  });
});

it("a similar BulkExportDestination that the same stack manages is not reported", async () => {
  const platform = await startPlatform();
  const [traces, audit] = [destinationStack(platform), destinationStack(platform, { name: "audit" })];
  await traces.up(destination(platform));
  const host = traces.host();
  const created = audit.up(destination(platform, { displayName: "audit" }), host);
  expect([await traces.up(destination(platform), host), await created]).toEqual(["same", "create"]);
  expect([...traces.messages, ...audit.messages].filter((row) => row.startsWith("warn"))).toEqual([]);
});

dynamicHostOnly(describe)("an import of a BulkExportDestination", () => {
  it("adopts a matching destination and warns that credentials could not be verified", async () => {
    const { platform, stack } = await createDestination();
    const { id } = stateOf(stack);
    const secondStack = stack.fork();
    expect(await secondStack.up(destination(platform), secondStack.host(), { __import: id })).toBe("create");
    expect(stateOf(secondStack).id).toBe(id);
    expect(secondStack.messages.join()).toMatch(/credentials.*could not be verified/);
    expect(await secondStack.up(destination(platform))).toBe("same");
  });

  it("without a declared region lists the difference, unlike a refresh, because a region never changes", async () => {
    const { platform, stack } = await createDestination();
    const { id } = stateOf(stack);
    const secondStack = stack.fork();
    const desired = destination(platform, { config: { region: "eu-central-1" } });
    await expect(secondStack.up(desired, secondStack.host(), { __import: id })).rejects.toThrow(
      'config.region: server has nothing, program has "eu-central-1"',
    );
    expect(secondStack.state).toBeUndefined();
    const other = destinationStack(platform, { name: "other" });
    const named = { ...desired, displayName: "other" };
    await other.up(named);
    const path = `bulk-exports/destinations/${stateOf(other).id}`;
    const response = (await callTracingApi(platform, "GET", path)).body as unknown as { config: object };
    const hidden = { ...response, config: { ...response.config, region: null } };
    await platform.addFault({ method: "GET", path: `/api/v1/${path}`, status: 200, body: hidden });
    expect(await other.refresh()).toBe("same");
  });

  it("from a file without secrets is followed by a rotation to the declared credentials", async () => {
    const { platform, stack } = await createDestination();
    const secondStack = stack.fork();
    const { credentials: _, ...written } = destination(platform);
    const { __provider, __urn } = stateOf(stack).inputs;
    const properties = { ...written, __provider, __urn };
    secondStack.state = { id: stateOf(stack).id, inputs: properties, outputs: properties, failed: false };
    expect(await secondStack.refresh()).toBe("same");
    await platform.emulator.requestLog.clear();
    expect(await secondStack.up(destination(platform))).toBe("update");
    expect(platform.requests()).toEqual([`PATCH ${ONE}`]);
    expect(await secondStack.up(destination(platform))).toBe("same");
  });

  it.each([
    ["lacks one of", TOKEN, {}],
    ["holds one more than", {}, TOKEN],
  ])("whose server %s the declared credentials sends all of them", async (_what, declared, remote) => {
    const { platform, stack } = await createDestination({ credentials: remote });
    const { id } = stateOf(stack);
    const secondStack = stack.fork();
    const desired = destination(platform, { credentials: declared });
    expect(await secondStack.up(desired, secondStack.host(), { __import: id })).toBe("create");
    expect(platform.requests({ method: "PATCH" })).toEqual([`PATCH ${ONE}`]);
    const keys = ["access_key_id", "secret_access_key", ...("sessionToken" in declared ? ["session_token"] : [])];
    expect(await destinationsIn(platform)).toMatchObject([{ id, credentials_keys: keys }]);
    expect(secondStack.messages.join()).toContain(
      "credentials.sessionToken differs, so the declared credentials were applied",
    );
    expect(await secondStack.up(desired)).toBe("same");
  });

  it("whose credentials are rejected keeps the destination in state, and the next up sends them again", async () => {
    const { platform, stack } = await createDestination();
    const { id } = stateOf(stack);
    const secondStack = stack.fork();
    const desired = destination(platform, { credentials: { sessionToken: "a-token-of-the-store" } });
    const body = { detail: "Failed to validate S3 destination: Access Denied" };
    await platform.addFault({ method: "PATCH", status: 400, body });
    await expect(secondStack.up(desired, secondStack.host(), { __import: id })).rejects.toThrow("Access Denied");
    expect(stateOf(secondStack)).toMatchObject({ id, failed: true });
    expect(await secondStack.up(desired)).toBe("update");
    expect(await destinationsIn(platform)).toMatchObject([
      { credentials_keys: expect.arrayContaining(["session_token"]) },
    ]);
  });
});
