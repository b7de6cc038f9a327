/** Destinations on servers that lack optional routes or omit fields: nothing is taken for deleted or for drift. */
import {
  createDestination,
  destination,
  destinationStack,
  destinationsIn,
  type RemoteDestination,
  startDestination,
} from "../../../support/exports/destinations";
import { callTracingApi } from "../../../support/exports/tracing";
import { type Platform, startPlatform } from "../../../support/platform";
import { dynamicHostOnly, expectClean, stateOf } from "../../../support/stack";

const ALL = "/api/v1/bulk-exports/destinations";

describe("on a server of the interface alone", () => {
  // @covers 2C.Export job:response
  it("a destination is created with one POST, and a refresh keeps it, which the server cannot show", async () => {
    const { platform, stack } = await startDestination({ server: { interfaceOnly: true } });
    const { outputs } = await stack.stateAfter(destination(platform));
    expect(platform.requests({ method: "POST" })).toEqual([`POST ${ALL}`]);
    expect(outputs).toMatchObject({ tenantId: "11111111-1111-4111-8111-111111111111", displayName: "traces" });
    expect(outputs).not.toHaveProperty("createdAt");
    await expectClean(stack, destination(platform));
  });

  it("an import fails because the destination cannot be compared", async () => {
    const { platform, stack, id } = await createDestination({}, { interfaceOnly: true });
    const secondStack = stack.fork();
    await expect(secondStack.up(destination(platform), secondStack.host(), { __import: id })).rejects.toThrow(
      /cannot show destination .* has no list/,
    );
    expect(secondStack.state).toBeUndefined();
  });
});

it("without a list, a destination that is not returned counts as deleted once the workspace responds", async () => {
  const { platform, stack, id } = await createDestination({}, { without: ["destination-list"] });
  expect(await stack.refresh()).toBe("same");
  await callTracingApi(platform, "DELETE", `bulk-exports/destinations/${id}`);
  await platform.addFault({ method: "GET", path: "/api/v1/workspaces/*", status: 404, times: 1 });
  await expect(stack.refresh()).rejects.toThrow("its workspace is not responding");
  expect(stack.state).toBeDefined();
  expect(await stack.refresh()).toBe("gone");
});

// @covers 10C.destination-in-use
it.each([
  [409, "2 bulk exports refer to it"],
  [400, "in use by an export"],
])("a delete rejected with %i removes the destination from state with the reason", async (status, detail) => {
  const { platform, stack } = await startDestination();
  const { id } = await stack.stateAfter(destination(platform));
  await platform.addFault({ method: "DELETE", status, body: { detail } });
  await stack.destroy();
  const [request] = platform.emulator.requestLog.entries({ method: "DELETE" });
  expect(stack.messages.at(-1)).toBe(
    `warn: The destination ${id} ("traces") was not deleted because exports still use it. It was removed from ` +
      `this stack's state only, and the server still stores its credentials. Server message: ${detail} (request ` +
      `ID ${request?.id})`,
  );
  expect(await destinationsIn(platform)).toHaveLength(1);
});

const ONE = `${ALL}/*`;

/** Lets the next read return the destination with these changes. */
async function changeNextRead(platform: Platform, id: string, change: (remote: RemoteDestination) => object) {
  const { body } = await callTracingApi(platform, "GET", `bulk-exports/destinations/${id}`);
  const changed = change(body as unknown as RemoteDestination);
  await platform.addFault({ method: "GET", path: ONE, status: 200, body: changed } as never);
  await platform.emulator.requestLog.clear();
}

it.each<[string, (remote: RemoteDestination) => object]>([
  ["omits the names of its credentials", ({ credentials_keys: _, ...rest }) => rest],
  ["omits its config", ({ config: _, ...rest }) => rest],
  ["omits a field of its config", ({ config: { prefix: _, ...config }, ...rest }) => ({ ...rest, config })],
  ["masks its credentials", (remote) => ({ ...remote, credentials: "***" })],
])("a refresh of a BulkExportDestination finds no drift when the response %s", async (_what, change) => {
  const { platform, stack, id } = await createDestination();
  await changeNextRead(platform, id, change);
  await expectClean(stack, destination(platform));
});

// @covers 2C.Destination.aws_role_arn:place
it("a refresh of a BulkExportDestination finds the role of another client in its config", async () => {
  const { platform, stack, id } = await createDestination();
  const aws_role_arn = "arn:aws:iam::123456789012:role/exports";
  await changeNextRead(platform, id, ({ config, ...rest }) => ({ ...rest, config: { ...config, aws_role_arn } }));
  expect([await stack.refresh(), stateOf(stack).inputs.awsRoleArn]).toEqual(["changed", aws_role_arn]);
});

it("a BulkExportDestination whose role the server ignores is created with a warning", async () => {
  const { platform, stack } = await startDestination({ server: { platform: "today" } });
  const { credentials: _, ...inputs } = destination(platform, { awsRoleArn: "arn:aws:iam::123456789012:role/exports" });
  const body = { id: "77777777-7777-4777-8777-777777777777", config: { aws_role_arn: null } };
  await platform.addFault({ method: "POST", status: 200, body });
  await stack.up(inputs);
  expect(stack.messages.join()).toMatch(/warn: awsRoleArn: .* the server probably ignores it\./);
});

it("a BulkExportDestination that stays, because exports refer to it, is replaced by an identical one", async () => {
  const { platform, stack, id } = await createDestination({}, { strict: false });
  await platform.addFault({ method: "DELETE", status: 409, body: { detail: "2 bulk exports refer to it" } });
  expect(await stack.up(destination(platform, { extra: { new_field: 1 } }))).toBe("replace");
  expect((await destinationsIn(platform)).map((remote) => remote.id)).toEqual([stateOf(stack).id, id]);
});

it("a BulkExportDestination whose credentials change together with a provider option receives them", async () => {
  const { platform, stack } = await createDestination();
  const change = { allowDuplicate: true, credentials: { sessionToken: "a-token-of-the-store" } };
  expect(await stack.up(destination(platform, change))).toBe("update");
  expect(platform.requests({ method: "PATCH" })).toHaveLength(1);
});

it.each([400, 503])("a read replaces a list after a create that fails with %i", async (status) => {
  const { platform, stack } = await startDestination();
  await platform.addFault({ method: "GET", path: ALL, status, skip: 1, times: 6 });
  expect(await stack.up(destination(platform))).toBe("create");
  expect(platform.requests().at(-1)).toBe(`GET ${ALL}/{id}`);
  expect(await stack.up(destination(platform))).toBe("same");
});

dynamicHostOnly(it)("an import of a BulkExportDestination compares only options that the server returns", async () => {
  const platform = await startPlatform();
  const declared = destination(platform, { config: { configKwargsS3: { addressingStyle: "path" } } });
  const stack = destinationStack(platform);
  const { id } = await stack.stateAfter(declared);
  const imported = stack.fork();
  await changeNextRead(platform, id, ({ config: { config_kwargs_s3: _, ...config }, ...all }) => ({ ...all, config }));
  expect(await imported.up(declared, imported.host(), { __import: id })).toBe("create");
  await changeNextRead(platform, id, ({ config: { prefix: _, ...config }, ...rest }) => ({ ...rest, config }));
  const again = stack.fork();
  await expect(again.up(declared, again.host(), { __import: id })).rejects.toThrow(
    'config.prefix: server has nothing, program has "agents"',
  );
});
