/** The life of a BulkExportDestination against the emulator, whose bucket stores the probe object. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { TestClock } from "../../../support/clock";
import { createDestination, destination, destinationStack, destinationsIn } from "../../../support/destinations";
import { failureOf } from "../../../support/errors";
import { toSnakeCase } from "../../../support/exports";
import { startPlatform } from "../../../support/platform";
import { json, TestServer } from "../../../support/server";
import { dynamicHostOnly, stateOf } from "../../../support/stack";
import { callTracingApi } from "../../../support/tracing";

const ALL = "/api/v1/bulk-exports/destinations";
const ONE = `${ALL}/{id}`;
const READ = `GET ${ONE}`;
const TOKEN = { sessionToken: "a-token-of-the-store" };

// @covers 2C.Destination, 4C.POST /api/v1/bulk-exports/destinations
it("BulkExportDestination: a create sends the declared inputs and stores the server's response in state", async () => {
  const platform = await startPlatform();
  const stack = destinationStack(platform);
  expect(await stack.up(destination(platform))).toBe("create");
  expect(platform.requests()).toEqual([`GET ${ALL}`, `POST ${ALL}`, READ]);
  const { id, outputs } = stateOf(stack);
  expect(await destinationsIn(platform)).toMatchObject([
    { id, display_name: "traces", config: { bucket_name: "exports", prefix: "agents" } },
  ]);
  expect(outputs).toMatchObject({
    tenantId: "11111111-1111-4111-8111-111111111111",
    credentialsKeys: ["access_key_id", "secret_access_key"],
    createdAt: expect.stringContaining("2"),
    __server: { origin: new URL(platform.url).origin, tenant: "11111111-1111-4111-8111-111111111111" },
  });
});

describe("BulkExportDestination: a create sends", () => {
  /** Returns the body that was sent, because the emulator's request log hides credentials. */
  async function bodyOf(declared: PropertyMap): Promise<unknown> {
    const id = "77777777-7777-4777-8777-777777777777";
    const server = await TestServer.start([json(200, []), json(200, { id }), json(200, { id, ...declared })]);
    await destinationStack({ clock: new TestClock(), url: server.url.origin }).up(declared);
    const [create, ...others] = server.requests.filter(({ method }) => method === "POST");
    expect([create?.url, others]).toEqual([ALL, []]);
    return JSON.parse(create?.body ?? "");
  }
  const credentials = { accessKeyId: "AKIA", secretAccessKey: "a-secret-of-the-store" };
  const keys = { access_key_id: "AKIA", secret_access_key: "a-secret-of-the-store" };

  // @covers 2C.Destination
  it("exactly the declared inputs when all are declared", async () => {
    const declared = {
      ...{ destinationType: "s3", displayName: "Lake", allowDuplicate: true },
      config: {
        ...{ bucketName: "traces", prefix: "agents/prod", region: "eu-central-1" },
        ...{ endpointUrl: "https://store.example", includeBucketInPrefix: false },
        configKwargsS3: { addressingStyle: "path", payload_signing_enabled: true },
        s3AdditionalKwargs: { ServerSideEncryption: "aws:kms", camelCase: { innerKey: 1 } },
      },
      credentials: { ...credentials, ...TOKEN },
    };
    expect(await bodyOf(declared)).toEqual({
      ...{ destination_type: "s3", display_name: "Lake" },
      config: {
        ...{ bucket_name: "traces", prefix: "agents/prod", region: "eu-central-1" },
        ...{ endpoint_url: "https://store.example", include_bucket_in_prefix: false },
        config_kwargs_s3: { addressing_style: "path", payload_signing_enabled: true },
        s3_additional_kwargs: { ServerSideEncryption: "aws:kms", camelCase: { innerKey: 1 } },
      },
      credentials: { ...keys, session_token: TOKEN.sessionToken },
    });
  });

  it("only the required inputs when no others are declared", async () => {
    const declared = { destinationType: "s3", displayName: "Lake", config: { bucketName: "traces" }, credentials };
    expect(await bodyOf(declared)).toEqual({
      ...{ destination_type: "s3", display_name: "Lake" },
      ...{ config: { bucket_name: "traces" }, credentials: keys },
    });
  });
});

it("BulkExportDestination: an up without a change sends no request, and a refresh sends one and finds no drift", async () => {
  const { platform, stack } = await createDestination();
  expect(await stack.up(destination(platform))).toBe("same");
  expect(platform.requests()).toEqual([]);
  expect(await stack.refresh()).toBe("same");
  expect(platform.requests()).toEqual([READ]);
});

// @covers 2C.Destination, 2C.Destination.destination_type, 2C.Destination.display_name, 2C.Destination.config
// @covers 2C.Destination.credentials
it("BulkExportDestination: keys are sent in the API's spelling, and keys of users unchanged", async () => {
  const { platform } = await createDestination({
    config: { configKwargsS3: { addressingStyle: "path", payload_signing_enabled: true } },
  });
  const [{ config } = { config: {} }] = await destinationsIn(platform);
  expect(config).toMatchObject({ config_kwargs_s3: { addressing_style: "path", payload_signing_enabled: true } });
});

describe("a change of a BulkExportDestination", () => {
  // @covers 2C.Destination.credentials
  it("of the credentials is sent as a whole, in place, in one request", async () => {
    const { platform, stack } = await createDestination();
    const { id, outputs } = stateOf(stack);
    const rotated = destination(platform, { credentials: { sessionToken: "a-token-of-the-store" } });
    await platform.advance(60_000);
    expect(await stack.up(rotated)).toBe("update");
    expect(stack.messages).toContain("info: in place: credentials");
    expect(platform.requests()).toEqual([`PATCH ${ONE}`]);
    const names = ["access_key_id", "secret_access_key", "session_token"];
    expect(await destinationsIn(platform)).toMatchObject([{ id, credentials_keys: names }]);
    expect(stateOf(stack)).toMatchObject({ id, outputs: { credentialsKeys: names, createdAt: outputs.createdAt } });
    expect(stateOf(stack).outputs.updatedAt).not.toBe(outputs.updatedAt);
    expect(await stack.up(rotated)).toBe("same");
  });

  it("of the credentials succeeds when the response contains only an ID", async () => {
    const { platform, stack } = await createDestination();
    const { id, outputs } = stateOf(stack);
    const rotated = destination(platform, { credentials: { sessionToken: "a-token-of-the-store" } });
    await platform.emulator.faults.add({ method: "PATCH", status: 200, body: { id }, act: true });
    expect(await stack.up(rotated)).toBe("update");
    expect(stateOf(stack).outputs).toMatchObject({ createdAt: outputs.createdAt, updatedAt: outputs.updatedAt });
  });

  it("of a provider option sends no request", async () => {
    const { platform, stack } = await createDestination();
    const before = stateOf(stack).outputs;
    expect(await stack.up(destination(platform, { allowDuplicate: true }))).toBe("update");
    expect(stack.messages).toContain("info: changes nothing on the server: allowDuplicate");
    expect(platform.requests()).toEqual([]);
    expect(stateOf(stack).outputs).toEqual({ ...before, allowDuplicate: true });
  });

  it.each([
    ["config.prefix", { config: { prefix: "elsewhere" } }],
    ["displayName", { displayName: "other traces" }],
    ["config.configKwargsS3.addressingStyle", { config: { configKwargsS3: { addressingStyle: "path" } } }],
  ])("of %s replaces it, and the preview shows it", async (path, change) => {
    const { platform, stack } = await createDestination();
    const { id } = stateOf(stack);
    expect(await stack.up(destination(platform, change))).toBe("replace");
    expect(stack.messages).toContain(`info: REPLACED: ${path}; restarts the exports that write to it`);
    expect(stateOf(stack).id).not.toBe(id);
    expect(await destinationsIn(platform)).toHaveLength(1);
  });
});

// @covers 2C.Destination.credentials:encrypted
it("BulkExportDestination: secrets are encrypted in state and redacted in messages, even in the server's response", async () => {
  const platform = await startPlatform();
  const stack = destinationStack(platform);
  const declared = destination(platform, { credentials: { sessionToken: "a-token-of-the-store" } });
  const secrets = Object.values(declared.credentials as Record<string, string>);
  const { inputs } = await stack.host().check({}, declared);
  for (const secret of secrets) {
    // The secret occurs once, in the wrapper that makes the engine encrypt it.
    expect(JSON.stringify(inputs).split(JSON.stringify(secret))).toHaveLength(2);
    expect(JSON.stringify(inputs)).toContain(`,"value":${JSON.stringify(secret)}}`);
  }
  const detail = `Failed to validate S3 destination: Access Denied for ${secrets.join(" and ")}`;
  await platform.emulator.faults.add({ method: "POST", status: 400, body: { detail } });
  const { message } = await failureOf(stack.up(declared));
  expect(message).toContain("Access Denied for [secret] and [secret]");
  for (const secret of secrets) expect(message + stack.messages.join()).not.toContain(secret);
});

describe("a refresh of a BulkExportDestination", () => {
  it("detects drift of credential names, and the next up sends all credentials again", async () => {
    const { platform, stack } = await createDestination();
    const { id } = stateOf(stack);
    const { bucket } = platform.emulator;
    const credentials = {
      access_key_id: bucket.accessKeyId,
      secret_access_key: bucket.secretAccessKey,
      session_token: "somebody-elses",
    };
    const patched = await callTracingApi(platform, "PATCH", `bulk-exports/destinations/${id}`, { credentials });
    expect(patched).toMatchObject({ status: 200 });
    expect(await stack.refresh()).toBe("changed");
    expect(await stack.up(destination(platform))).toBe("update");
    expect((await destinationsIn(platform))[0]?.credentials_keys).toEqual(["access_key_id", "secret_access_key"]);
  });

  it("detects an out-of-band deletion, and the next up creates it again", async () => {
    const { platform, stack } = await createDestination();
    const { id } = stateOf(stack);
    expect(await callTracingApi(platform, "DELETE", `bulk-exports/destinations/${id}`)).toMatchObject({ status: 204 });
    expect(await stack.refresh()).toBe("gone");
    expect(await stack.up(destination(platform))).toBe("create");
    expect(stateOf(stack).id).not.toBe(id);
  });
});

describe("a destroy of a BulkExportDestination", () => {
  it("that an export still uses removes it from state with the reason", async () => {
    const { platform, stack } = await createDestination();
    const { id } = stateOf(stack);
    const body = { bulk_export_destination_id: id, all_experiments: true, ...{ start_time: "2026-01-01T00:00:00Z" } };
    const created = await callTracingApi(platform, "POST", "bulk-exports", {
      ...body,
      end_time: "2026-01-02T00:00:00Z",
    });
    expect(created).toMatchObject({ status: 200 });
    await stack.destroy();
    expect(stack.messages.join()).toMatch(
      /warn: The destination .*was not deleted because exports still use it.*removed from/,
    );
    expect(await destinationsIn(platform)).toMatchObject([{ id }]);
  });

  dynamicHostOnly(it)(
    "that kept it on the server leads to an error of the next up with the import option that adopts it",
    async () => {
      const { platform, stack } = await createDestination();
      await platform.emulator.faults.add({ method: "DELETE", status: 409, body: { detail: "an export uses it" } });
      const { id } = stateOf(stack);
      await stack.destroy();
      const { message } = await failureOf(stack.up(destination(platform)));
      expect(message).toContain("or an earlier `pulumi destroy` may have left it behind");
      expect(message).toContain(`import: "${id}"`);
      expect(await stack.up(destination(platform), stack.host(), { __import: id })).toBe("create");
      expect(await stack.up(destination(platform))).toBe("same");
    },
  );

  it("deletes it", async () => {
    const { platform, stack } = await createDestination();
    await stack.destroy();
    expect(platform.requests()).toEqual([`DELETE ${ONE}`]);
    expect(await destinationsIn(platform)).toEqual([]);
  });

  it("succeeds when it no longer exists", async () => {
    const { platform, stack } = await createDestination();
    await callTracingApi(platform, "DELETE", `bulk-exports/destinations/${stateOf(stack).id}`);
    await stack.destroy();
    expect(stack.messages).toEqual([]);
  });
});

describe("an equivalent BulkExportDestination", () => {
  it("fails the create with its ID and both options", async () => {
    const { platform, stack } = await createDestination();
    const { id } = stateOf(stack);
    const secondStack = stack.fork();
    const { message } = await failureOf(secondStack.up(destination(platform)));
    expect(message).toContain(id);
    expect(message).toContain(`import: "${id}"`);
    expect(message).toContain("allowDuplicate: true");
    expect(platform.requests({ method: "POST" })).toEqual([]);
    expect(await secondStack.up(destination(platform, { allowDuplicate: true }))).toBe("create");
    expect(await destinationsIn(platform)).toHaveLength(2);
  });

  it.each([
    ["name", { displayName: "others" }],
    ["place", { config: { prefix: "b" } }],
    ["option", { config: { configKwargsS3: { addressingStyle: "path" } } }],
  ])("is not one with another %s", async (_what, change) => {
    const { platform, stack } = await createDestination({ config: { configKwargsS3: { addressingStyle: "auto" } } });
    expect(await stack.fork().up(destination(platform, change))).toBe("create");
  });

  it("is detected when both are created at the same time", async () => {
    const platform = await startPlatform();
    const [one, two] = [destinationStack(platform), destinationStack(platform, { name: "two" })];
    const results = await Promise.allSettled([one.up(destination(platform)), two.up(destination(platform))]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await destinationsIn(platform)).toHaveLength(1);
  });
});

it.each([
  ["displayName", { displayName: "renamed" }],
  ["config.prefix", { config: { prefix: "elsewhere" } }],
])(
  "a BulkExportDestination that a killed run left before %s changed is reported by the next create without further requests",
  async (path, change) => {
    const platform = await startPlatform();
    const { id } = (
      await callTracingApi(platform, "POST", "bulk-exports/destinations", toSnakeCase(destination(platform)))
    ).body;
    await platform.emulator.journal.clear();
    const stack = destinationStack(platform);
    await stack.up(destination(platform, change));
    expect(platform.requests()).toEqual([`GET ${ALL}`, `POST ${ALL}`, READ]);
    const [warning] = stack.messages.filter((row) => row.startsWith("warn"));
    expect(warning).toContain(`The destination ${id} differs from this one in ${path} alone.`);
    expect(warning).toContain(`DELETE ${platform.url}${ALL}/${id}`);
  },
);

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
    const { message } = await failureOf(secondStack.up(desired, secondStack.host(), { __import: id }));
    expect(message).toContain('config.region: server has nothing, program has "eu-central-1"');
    expect(secondStack.state).toBeUndefined();
    const other = destinationStack(platform, { name: "other" });
    const named = { ...desired, displayName: "other" };
    await other.up(named);
    const path = `bulk-exports/destinations/${stateOf(other).id}`;
    const response = (await callTracingApi(platform, "GET", path)).body as unknown as { config: object };
    const hidden = { ...response, config: { ...response.config, region: null } };
    await platform.emulator.faults.add({ method: "GET", path: `/api/v1/${path}`, status: 200, body: hidden });
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
    await platform.emulator.journal.clear();
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
    expect(await destinationsIn(platform)).toMatchObject([
      {
        id,
        credentials_keys: [
          "access_key_id",
          "secret_access_key",
          ...("sessionToken" in declared ? ["session_token"] : []),
        ],
      },
    ]);
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
    await platform.emulator.faults.add({
      method: "PATCH",
      status: 400,
      body: { detail: "Failed to validate S3 destination: Access Denied" },
    });
    expect((await failureOf(secondStack.up(desired, secondStack.host(), { __import: id }))).message).toContain(
      "Access Denied",
    );
    expect(stateOf(secondStack)).toMatchObject({ id, failed: true });
    expect(await secondStack.up(desired)).toBe("update");
    expect(await destinationsIn(platform)).toMatchObject([
      { credentials_keys: expect.arrayContaining(["session_token"]) },
    ]);
  });

  it("lists the differences and changes nothing", async () => {
    const { platform, stack } = await createDestination();
    const { id } = stateOf(stack);
    const secondStack = stack.fork();
    const declared = destination(platform, { config: { prefix: "b" } });
    const { message } = await failureOf(secondStack.up(declared, secondStack.host(), { __import: id }));
    expect(message).toContain('config.prefix: server has "agents", program has "b"');
    expect(secondStack.state).toBeUndefined();
  });

  it("of an unknown ID fails with an explanation", async () => {
    const { platform, stack } = await createDestination();
    const secondStack = stack.fork();
    const { message } = await failureOf(
      secondStack.up(destination(platform), secondStack.host(), { __import: "99999999-9999-4999-8999-999999999999" }),
    );
    expect(message).toContain("no BulkExportDestination with ID 99999999");
  });
});

it("BulkExportDestination: with another workspace or server than in state, nothing is read or changed", async () => {
  const { platform, stack } = await createDestination();
  const { id, outputs } = stateOf(stack);
  const elsewhere = { tracingApiUrl: "https://elsewhere.example" };
  const workspace = { tenantId: "22222222-2222-4222-8222-222222222222" };
  for (const [settings, words] of [
    [elsewhere, "tracingApiUrl is https://elsewhere.example"],
    [workspace, "tenantId is 22222222"],
  ] as const) {
    const host = stack.host(settings);
    expect((await failureOf(host.read(id, outputs))).message).toContain(words);
    expect((await failureOf(host.delete(id, outputs))).message).toContain(words);
  }
  // Another control plane does not matter.
  expect(await stack.refresh(stack.host({ controlPlaneUrl: "https://elsewhere.example" }))).toBe("same");
  expect(platform.requests()).toEqual([READ]);
});

it("BulkExportDestination: only the settings of the tracing API are required", async () => {
  const platform = await startPlatform();
  const declared = destination(platform);
  const stack = destinationStack(platform, { config: { controlPlaneUrl: "", tracingApiUrl: "", tenantId: "" } });
  const { message } = await failureOf(stack.up(declared));
  expect(message).toContain("Settings are missing: tracingApiUrl, tenantId");
  expect(stack.messages).toEqual([expect.stringContaining("warn: Settings are missing: tracingApiUrl, tenantId")]);
  expect(await destinationStack(platform, { config: { controlPlaneUrl: "" } }).up(declared)).toBe("create");
});

// @covers 1C:plan
it("BulkExportDestination: a plan without exports fails with the required plans", async () => {
  const platform = await startPlatform({ plan: "developer" });
  const { message } = await failureOf(destinationStack(platform).up(destination(platform)));
  expect(message).toContain("403");
  expect(message).toContain("Plus or Enterprise");
});
