/** The life of a BulkExportDestination against the emulator, whose bucket really takes the probe. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { TestClock } from "../../../support/clock";
import { createDestination, destination, destinationStack, destinationsIn } from "../../../support/destinations";
import { failureOf } from "../../../support/errors";
import { snake } from "../../../support/exports";
import { startPlatform } from "../../../support/platform";
import { json, TestServer } from "../../../support/server";
import { heldBy } from "../../../support/stack";
import { ask } from "../../../support/tracing";

const ALL = "/api/v1/bulk-exports/destinations";
const ONE = `${ALL}/{id}`;
const LOOK = `GET ${ONE}`;
const TOKEN = { sessionToken: "a-token-of-the-store" };

// @covers 2C.Destination, 4C.POST /api/v1/bulk-exports/destinations
it("is created with what is declared, and its state holds what the service tells", async () => {
  const platform = await startPlatform();
  const stack = destinationStack(platform);
  expect(await stack.up(destination(platform))).toBe("create");
  expect(platform.requests()).toEqual([`GET ${ALL}`, `POST ${ALL}`, LOOK]);
  const { id, outputs } = heldBy(stack);
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
  /** The body as it went over the wire, where the emulator's request log hides credentials. */
  async function bodyOf(declared: PropertyMap): Promise<unknown> {
    const id = "77777777-7777-4777-8777-777777777777";
    const server = await TestServer.start([json(200, []), json(200, { id }), json(200, { id, ...declared })]);
    await destinationStack({ clock: new TestClock(), url: server.url.origin }).up(declared);
    const [create, ...others] = server.seen.filter(({ method }) => method === "POST");
    expect([create?.url, others]).toEqual([ALL, []]);
    return JSON.parse(create?.body ?? "");
  }
  const credentials = { accessKeyId: "AKIA", secretAccessKey: "a-secret-of-the-store" };
  const keys = { access_key_id: "AKIA", secret_access_key: "a-secret-of-the-store" };

  // @covers 2C.Destination
  it("exactly what is declared, where all is", async () => {
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

  it("nothing else, where only what must be is declared", async () => {
    const declared = { destinationType: "s3", displayName: "Lake", config: { bucketName: "traces" }, credentials };
    expect(await bodyOf(declared)).toEqual({
      ...{ destination_type: "s3", display_name: "Lake" },
      ...{ config: { bucket_name: "traces" }, credentials: keys },
    });
  });
});

it("asks nothing when nothing changed, and one thing at a refresh, which finds no drift", async () => {
  const { platform, stack } = await createDestination();
  expect(await stack.up(destination(platform))).toBe("same");
  expect(platform.requests()).toEqual([]);
  expect(await stack.refresh()).toBe("same");
  expect(platform.requests()).toEqual([LOOK]);
});

// @covers 2C.Destination, 2C.Destination.destination_type, 2C.Destination.display_name, 2C.Destination.config
// @covers 2C.Destination.credentials
it("has its keys on the wire as the interface spells them, and those of the user as they are", async () => {
  const { platform } = await createDestination({
    config: { configKwargsS3: { addressingStyle: "path", payload_signing_enabled: true } },
  });
  const [{ config } = { config: {} }] = await destinationsIn(platform);
  expect(config).toMatchObject({ config_kwargs_s3: { addressing_style: "path", payload_signing_enabled: true } });
});

describe("a change", () => {
  // @covers 2C.Destination.credentials
  it("of the credentials goes out as a whole, in place, in one request", async () => {
    const { platform, stack } = await createDestination();
    const { id, outputs } = heldBy(stack);
    const rotated = destination(platform, { credentials: { sessionToken: "a-token-of-the-store" } });
    await platform.pass(60_000);
    expect(await stack.up(rotated)).toBe("update");
    expect(stack.rows).toContain("info: in place: credentials");
    expect(platform.requests()).toEqual([`PATCH ${ONE}`]);
    const names = ["access_key_id", "secret_access_key", "session_token"];
    expect(await destinationsIn(platform)).toMatchObject([{ id, credentials_keys: names }]);
    expect(heldBy(stack)).toMatchObject({ id, outputs: { credentialsKeys: names, createdAt: outputs.createdAt } });
    expect(heldBy(stack).outputs.updatedAt).not.toBe(outputs.updatedAt);
    expect(await stack.up(rotated)).toBe("same");
  });

  it("of the credentials is done as well where the answer holds no more than an id", async () => {
    const { platform, stack } = await createDestination();
    const { id, outputs } = heldBy(stack);
    const rotated = destination(platform, { credentials: { sessionToken: "a-token-of-the-store" } });
    await platform.emulator.faults.add({ method: "PATCH", status: 200, body: { id }, act: true });
    expect(await stack.up(rotated)).toBe("update");
    expect(heldBy(stack).outputs).toMatchObject({ createdAt: outputs.createdAt, updatedAt: outputs.updatedAt });
  });

  it("of an option of ours asks nothing of the service", async () => {
    const { platform, stack } = await createDestination();
    const before = heldBy(stack).outputs;
    expect(await stack.up(destination(platform, { allowDuplicate: true }))).toBe("update");
    expect(stack.rows).toContain("info: changes nothing on the server: allowDuplicate");
    expect(platform.requests()).toEqual([]);
    expect(heldBy(stack).outputs).toEqual({ ...before, allowDuplicate: true });
  });

  it.each([
    ["config.prefix", { config: { prefix: "elsewhere" } }],
    ["displayName", { displayName: "other traces" }],
    ["config.configKwargsS3.addressingStyle", { config: { configKwargsS3: { addressingStyle: "path" } } }],
  ])("of %s replaces it, and says so before", async (path, change) => {
    const { platform, stack } = await createDestination();
    const { id } = heldBy(stack);
    expect(await stack.up(destination(platform, change))).toBe("replace");
    expect(stack.rows).toContain(`info: REPLACED: ${path}; restarts the exports that write to it`);
    expect(heldBy(stack).id).not.toBe(id);
    expect(await destinationsIn(platform)).toHaveLength(1);
  });
});

// @covers 2C.Destination.credentials:encrypted
it("keeps every secret out of state in clear, rows and errors, also where the service repeats one", async () => {
  const platform = await startPlatform();
  const stack = destinationStack(platform);
  const declared = destination(platform, { credentials: { sessionToken: "a-token-of-the-store" } });
  const secrets = Object.values(declared.credentials as Record<string, string>);
  const { inputs } = await stack.host().check({}, declared);
  for (const secret of secrets) {
    // On the wire it stands once, in the wrapper that makes the engine encrypt it.
    expect(JSON.stringify(inputs).split(JSON.stringify(secret))).toHaveLength(2);
    expect(JSON.stringify(inputs)).toContain(`,"value":${JSON.stringify(secret)}}`);
  }
  const detail = `Failed to validate S3 destination: Access Denied for ${secrets.join(" and ")}`;
  await platform.emulator.faults.add({ method: "POST", status: 400, body: { detail } });
  const { message } = await failureOf(stack.up(declared));
  expect(message).toContain("Access Denied for [secret] and [secret]");
  for (const secret of secrets) expect(message + stack.rows.join()).not.toContain(secret);
});

describe("drift", () => {
  it("of the names of credentials shows, and the next up sends them all again", async () => {
    const { platform, stack } = await createDestination();
    const { id } = heldBy(stack);
    const { bucket } = platform.emulator;
    const credentials = {
      access_key_id: bucket.accessKeyId,
      secret_access_key: bucket.secretAccessKey,
      session_token: "somebody-elses",
    };
    const patched = await ask(platform, "PATCH", `bulk-exports/destinations/${id}`, { credentials });
    expect(patched).toMatchObject({ status: 200 });
    expect(await stack.refresh()).toBe("changed");
    expect(await stack.up(destination(platform))).toBe("update");
    expect((await destinationsIn(platform))[0]?.credentials_keys).toEqual(["access_key_id", "secret_access_key"]);
  });

  it("is noticed when somebody deleted it, and the next up creates it again", async () => {
    const { platform, stack } = await createDestination();
    const { id } = heldBy(stack);
    expect(await ask(platform, "DELETE", `bulk-exports/destinations/${id}`)).toMatchObject({ status: 204 });
    expect(await stack.refresh()).toBe("gone");
    expect(await stack.up(destination(platform))).toBe("create");
    expect(heldBy(stack).id).not.toBe(id);
  });
});

describe("a destroy", () => {
  it("of what an export still refers to drops it from state, and says why", async () => {
    const { platform, stack } = await createDestination();
    const { id } = heldBy(stack);
    const body = { bulk_export_destination_id: id, all_experiments: true, ...{ start_time: "2026-01-01T00:00:00Z" } };
    const made = await ask(platform, "POST", "bulk-exports", { ...body, end_time: "2026-01-02T00:00:00Z" });
    expect(made).toMatchObject({ status: 200 });
    await stack.destroy();
    expect(stack.rows.join()).toMatch(/warn: The service keeps destination .*since exports refer to it.*dropped/);
    expect(await destinationsIn(platform)).toMatchObject([{ id }]);
  });

  it("that left it in place is named by the next up of the program, which gives the line that adopts it", async () => {
    const { platform, stack } = await createDestination();
    await platform.emulator.faults.add({ method: "DELETE", status: 409, body: { detail: "an export uses it" } });
    const { id } = heldBy(stack);
    await stack.destroy();
    const { message } = await failureOf(stack.up(destination(platform)));
    expect(message).toContain("or an earlier `pulumi destroy` kept it");
    expect(message).toContain(`import: "${id}"`);
    expect(await stack.up(destination(platform), stack.host(), { __import: id })).toBe("create");
    expect(await stack.up(destination(platform))).toBe("same");
  });

  it("deletes it", async () => {
    const { platform, stack } = await createDestination();
    await stack.destroy();
    expect(platform.requests()).toEqual([`DELETE ${ONE}`]);
    expect(await destinationsIn(platform)).toEqual([]);
  });

  it("of what is gone already is fine", async () => {
    const { platform, stack } = await createDestination();
    await ask(platform, "DELETE", `bulk-exports/destinations/${heldBy(stack).id}`);
    await stack.destroy();
    expect(stack.rows).toEqual([]);
  });
});

describe("what equals it already", () => {
  it("is an error that names its id and both ways on", async () => {
    const { platform, stack } = await createDestination();
    const { id } = heldBy(stack);
    const twin = stack.twin();
    const { message } = await failureOf(twin.up(destination(platform)));
    expect(message).toContain(id);
    expect(message).toContain(`import: "${id}"`);
    expect(message).toContain("allowDuplicate: true");
    expect(platform.requests({ method: "POST" })).toEqual([]);
    expect(await twin.up(destination(platform, { allowDuplicate: true }))).toBe("create");
    expect(await destinationsIn(platform)).toHaveLength(2);
  });

  it.each([
    ["name", { displayName: "others" }],
    ["place", { config: { prefix: "b" } }],
    ["option", { config: { configKwargsS3: { addressingStyle: "path" } } }],
  ])("is none with another %s", async (_what, change) => {
    const { platform, stack } = await createDestination({ config: { configKwargsS3: { addressingStyle: "auto" } } });
    expect(await stack.twin().up(destination(platform, change))).toBe("create");
  });

  it("is seen as well when both are created at the same time", async () => {
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
])("what a killed run left before %s changed is named by the next create, at no cost", async (path, change) => {
  const platform = await startPlatform();
  const { id } = (await ask(platform, "POST", "bulk-exports/destinations", snake(destination(platform)))).body;
  await platform.emulator.journal.clear();
  const stack = destinationStack(platform);
  await stack.up(destination(platform, change));
  expect(platform.requests()).toEqual([`GET ${ALL}`, `POST ${ALL}`, LOOK]);
  const [warning] = stack.rows.filter((row) => row.startsWith("warn"));
  expect(warning).toContain(`The destination ${id} differs from this one in ${path} alone.`);
  expect(warning).toContain(`DELETE ${platform.url}${ALL}/${id}`);
});

describe("an import", () => {
  it("takes over what equals the declaration, and warns that credentials cannot be compared", async () => {
    const { platform, stack } = await createDestination();
    const { id } = heldBy(stack);
    const twin = stack.twin();
    expect(await twin.up(destination(platform), twin.host(), { __import: id })).toBe("create");
    expect(heldBy(twin).id).toBe(id);
    expect(twin.rows.join()).toMatch(/credentials.*cannot be compared/);
    expect(await twin.up(destination(platform))).toBe("same");
  });

  it("of one that lacks a declared region lists the difference, and a refresh does not: nothing of it can change", async () => {
    const { platform, stack } = await createDestination();
    const { id } = heldBy(stack);
    const twin = stack.twin();
    const wanted = destination(platform, { config: { region: "eu-central-1" } });
    const { message } = await failureOf(twin.up(wanted, twin.host(), { __import: id }));
    expect(message).toContain('config.region: nothing on the server, "eu-central-1" declared');
    expect(twin.held).toBeUndefined();
    const other = destinationStack(platform, { name: "other" });
    const named = { ...wanted, displayName: "other" };
    await other.up(named);
    const path = `bulk-exports/destinations/${heldBy(other).id}`;
    const shown = (await ask(platform, "GET", path)).body as unknown as { config: object };
    const hidden = { ...shown, config: { ...shown.config, region: null } };
    await platform.emulator.faults.add({ method: "GET", path: `/api/v1/${path}`, status: 200, body: hidden });
    expect(await other.refresh()).toBe("same");
  });

  it("by a file, which leaves secrets out, is followed by a rotation to those declared", async () => {
    const { platform, stack } = await createDestination();
    const twin = stack.twin();
    const { credentials: _, ...written } = destination(platform);
    const { __provider, __urn } = heldBy(stack).inputs;
    const bag = { ...written, __provider, __urn };
    twin.held = { id: heldBy(stack).id, inputs: bag, outputs: bag, failed: false };
    expect(await twin.refresh()).toBe("same");
    await platform.emulator.journal.clear();
    expect(await twin.up(destination(platform))).toBe("update");
    expect(platform.requests()).toEqual([`PATCH ${ONE}`]);
    expect(await twin.up(destination(platform))).toBe("same");
  });

  it.each([
    ["lacks one of", TOKEN, {}],
    ["holds one more than", {}, TOKEN],
  ])(
    "of one whose server %s the declared credentials sends all of them, since no other change could",
    async (_what, declared, held) => {
      const { platform, stack } = await createDestination({ credentials: held });
      const { id } = heldBy(stack);
      const twin = stack.twin();
      const wanted = destination(platform, { credentials: declared });
      expect(await twin.up(wanted, twin.host(), { __import: id })).toBe("create");
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
      expect(twin.rows.join()).toContain("credentials.sessionToken differs, so the declared credentials were sent");
      expect(await twin.up(wanted)).toBe("same");
    },
  );

  it("whose credentials are refused keeps the destination in state, and the next up sends them again", async () => {
    const { platform, stack } = await createDestination();
    const { id } = heldBy(stack);
    const twin = stack.twin();
    const wanted = destination(platform, { credentials: { sessionToken: "a-token-of-the-store" } });
    await platform.emulator.faults.add({
      method: "PATCH",
      status: 400,
      body: { detail: "Failed to validate S3 destination: Access Denied" },
    });
    expect((await failureOf(twin.up(wanted, twin.host(), { __import: id }))).message).toContain("Access Denied");
    expect(heldBy(twin)).toMatchObject({ id, failed: true });
    expect(await twin.up(wanted)).toBe("update");
    expect(await destinationsIn(platform)).toMatchObject([
      { credentials_keys: expect.arrayContaining(["session_token"]) },
    ]);
  });

  it("lists what differs, and changes nothing", async () => {
    const { platform, stack } = await createDestination();
    const { id } = heldBy(stack);
    const twin = stack.twin();
    const declared = destination(platform, { config: { prefix: "b" } });
    const { message } = await failureOf(twin.up(declared, twin.host(), { __import: id }));
    expect(message).toContain('config.prefix: "agents" on the server, "b" declared');
    expect(twin.held).toBeUndefined();
  });

  it("of an id that is not there says so", async () => {
    const { platform, stack } = await createDestination();
    const twin = stack.twin();
    const { message } = await failureOf(
      twin.up(destination(platform), twin.host(), { __import: "99999999-9999-4999-8999-999999999999" }),
    );
    expect(message).toContain("there is no BulkExportDestination 99999999");
  });
});

it("under another workspace or address than it was created in, nothing is read or changed", async () => {
  const { platform, stack } = await createDestination();
  const { id, outputs } = heldBy(stack);
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
  // The control plane is another matter.
  expect(await stack.refresh(stack.host({ controlPlaneUrl: "https://elsewhere.example" }))).toBe("same");
  expect(platform.requests()).toEqual([LOOK]);
});

it("needs the settings of the tracing API, and none of the control plane", async () => {
  const platform = await startPlatform();
  const declared = destination(platform);
  const stack = destinationStack(platform, { config: { controlPlaneUrl: "", tracingApiUrl: "", tenantId: "" } });
  const { message } = await failureOf(stack.up(declared));
  expect(message).toContain("Settings are missing: tracingApiUrl, tenantId");
  expect(stack.rows).toEqual([expect.stringContaining("warn: Settings are missing: tracingApiUrl, tenantId")]);
  expect(await destinationStack(platform, { config: { controlPlaneUrl: "" } }).up(declared)).toBe("create");
});

// @covers 1C:plan
it("a plan without exports is named", async () => {
  const platform = await startPlatform({ plan: "developer" });
  const { message } = await failureOf(destinationStack(platform).up(destination(platform)));
  expect(message).toContain("403");
  expect(message).toContain("Plus or Enterprise");
});
