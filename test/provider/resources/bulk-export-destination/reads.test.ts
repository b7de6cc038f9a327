/** What a read of a BulkExportDestination means: responses that omit fields, creates that are resumed, and warnings. */
import {
  createDestination,
  destination,
  destinationStack,
  type RemoteDestination,
  startDestination,
} from "../../../support/destinations";
import { failureOf } from "../../../support/errors";
import { type Platform, startPlatform } from "../../../support/platform";
import { dynamicHostOnly, expectClean, stateOf } from "../../../support/stack";
import { callTracingApi } from "../../../support/tracing";

const ALL = "/api/v1/bulk-exports/destinations";
const ONE = `${ALL}/*`;

/** Lets the next read return the destination with these changes. */
async function changeNextRead(platform: Platform, id: string, change: (remote: RemoteDestination) => object) {
  const { body } = await callTracingApi(platform, "GET", `bulk-exports/destinations/${id}`);
  const changed = change(body as unknown as RemoteDestination);
  await platform.emulator.faults.add({ method: "GET", path: ONE, status: 200, body: changed } as never);
  await platform.emulator.requestLog.clear();
}

describe("a refresh of a BulkExportDestination", () => {
  it.each<[string, (remote: RemoteDestination) => object]>([
    ["the names of its credentials", ({ credentials_keys: _, ...rest }) => rest],
    ["its config", ({ config: _, ...rest }) => rest],
    ["a field of its config", ({ config: { prefix: _, ...config }, ...rest }) => ({ ...rest, config })],
  ])("finds no drift when the response omits %s", async (_what, change) => {
    const { platform, stack, id } = await createDestination();
    await changeNextRead(platform, id, change);
    await expectClean(stack, destination(platform));
  });
});

it("a BulkExportDestination whose credentials change together with a provider option receives them", async () => {
  const { platform, stack } = await createDestination();
  const change = { allowDuplicate: true, credentials: { sessionToken: "a-token-of-the-store" } };
  expect(await stack.up(destination(platform, change))).toBe("update");
  expect(platform.requests({ method: "PATCH" })).toHaveLength(1);
});

it.each([400, 503])(
  "a list after the create of a BulkExportDestination that fails with %i is replaced by a read",
  async (status) => {
    const { platform, stack } = await startDestination();
    await platform.emulator.faults.add({ method: "GET", path: ALL, status, skip: 1, times: 6 });
    expect(await stack.up(destination(platform))).toBe("create");
    expect(platform.requests().at(-1)).toBe(`GET ${ALL}/{id}`);
    expect(await stack.up(destination(platform))).toBe("same");
  },
);

dynamicHostOnly(it)(
  "an import of a BulkExportDestination compares options only if the server returns them, unlike the location",
  async () => {
    const platform = await startPlatform();
    const declared = destination(platform, { config: { configKwargsS3: { addressingStyle: "path" } } });
    const stack = destinationStack(platform);
    await stack.up(declared);
    const { id } = stateOf(stack);
    const imported = stack.fork();
    await changeNextRead(platform, id, ({ config: { config_kwargs_s3: _, ...config }, ...rest }) => ({
      ...rest,
      config,
    }));
    expect(await imported.up(declared, imported.host(), { __import: id })).toBe("create");
    await changeNextRead(platform, id, ({ config: { prefix: _, ...config }, ...rest }) => ({ ...rest, config }));
    const again = stack.fork();
    const { message } = await failureOf(again.up(declared, again.host(), { __import: id }));
    expect(message).toContain('config.prefix: server has nothing, program has "agents"');
  },
);
