/** The life of a BulkExportDestination against the emulator, from the body of its create to its destroy. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { failureOf } from "../../../support/errors";
import {
  createDestination,
  destination,
  destinationStack,
  destinationsIn,
  startDestination,
} from "../../../support/exports/destinations";
import { callTracingApi } from "../../../support/exports/tracing";
import { type Platform, startPlatform } from "../../../support/platform";
import { json, TestServer } from "../../../support/servers/server";
import { dynamicHostOnly, expectClean, stateOf } from "../../../support/stack";
import { TestClock } from "../../../support/time/clock";

const ALL = "/api/v1/bulk-exports/destinations";
const ONE = `${ALL}/{id}`;
const READ = `GET ${ONE}`;

it("BulkExportDestination: an up without a change sends no request, and a refresh one", async () => {
  const { platform, stack } = await createDestination();
  expect(await stack.up(destination(platform))).toBe("same");
  expect(platform.requests()).toEqual([]);
  expect(await stack.refresh()).toBe("same");
  expect(platform.requests()).toEqual([READ]);
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
    await platform.addFault({ method: "PATCH", status: 200, body: { id }, act: true });
    expect(await stack.up(rotated)).toBe("update");
    expect(stateOf(stack).outputs).toMatchObject({ createdAt: outputs.createdAt, updatedAt: outputs.updatedAt });
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

it("BulkExportDestination: a field in the API's spelling stays in state, and is rejected where it is new", async () => {
  const { platform, stack } = await createDestination({ config: { configKwargsS3: { addressingStyle: "path" } } });
  const declared = (configKwargsS3: PropertyMap) => destination(platform, { config: { configKwargsS3 } });
  const spelled = declared({ addressing_style: "path" });
  // Earlier versions accepted it.
  for (const part of [stateOf(stack).inputs, stateOf(stack).outputs]) part.config = spelled.config;
  await expectClean(stack, spelled);
  for (const other of [{ addressing_style: "auto" }, { addressing_style: "path", use_accelerate_endpoint: true }])
    await expect(stack.up(declared(other))).rejects.toThrow(
      "config.configKwargsS3.addressing_style is the name of this field in the API; use addressingStyle.",
    );
  expect(await stack.up(declared({ addressingStyle: "path" }))).toBe("same");
});

// @covers 2C.Destination.credentials:encrypted
it("BulkExportDestination: secrets are encrypted in state and redacted in messages", async () => {
  const { platform, stack } = await startDestination();
  const declared = destination(platform, { credentials: { sessionToken: "a-token-of-the-store" } });
  const secrets = Object.values(declared.credentials as Record<string, string>);
  const { inputs } = await stack.host().check({}, declared);
  for (const secret of secrets) {
    // The secret occurs once, in the wrapper that makes the engine encrypt it.
    expect(JSON.stringify(inputs).split(JSON.stringify(secret))).toHaveLength(2);
    expect(JSON.stringify(inputs)).toContain(`,"value":${JSON.stringify(secret)}}`);
  }
  const detail = `Failed to validate S3 destination: Access Denied for ${secrets.join(" and ")}`;
  await platform.addFault({ method: "POST", status: 400, body: { detail } });
  const { message } = await failureOf(stack.up(declared));
  expect(message).toContain("Access Denied for [secret] and [secret]");
  for (const secret of secrets) expect(message + stack.messages.join()).not.toContain(secret);
});

// @covers 10C.credentials-hidden
it("a refresh of a BulkExportDestination detects drift of credential names, and the next up sends all", async () => {
  const { platform, stack, id } = await createDestination();
  const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = platform.emulator.bucket;
  const credentials = { access_key_id, secret_access_key, session_token: "somebody-elses" };
  const patched = await callTracingApi(platform, "PATCH", `bulk-exports/destinations/${id}`, { credentials });
  expect(patched).toMatchObject({ status: 200 });
  expect([await stack.refresh(), await stack.up(destination(platform))]).toEqual(["changed", "update"]);
  expect((await destinationsIn(platform))[0]?.credentials_keys).toEqual(["access_key_id", "secret_access_key"]);
});

dynamicHostOnly(it)("a BulkExportDestination that a destroy kept leads to an error with an import option", async () => {
  const { platform, stack, id } = await createDestination();
  await platform.addFault({ method: "DELETE", status: 409, body: { detail: "an export uses it" } });
  await stack.destroy();
  const { message } = await failureOf(stack.up(destination(platform)));
  expect(message).toContain("or an earlier `pulumi destroy` may have left it behind");
  expect(message).toContain(`import: "${id}"`);
  expect(await stack.up(destination(platform), stack.host(), { __import: id })).toBe("create");
  expect(await stack.up(destination(platform))).toBe("same");
});

describe("on the platform of today, a BulkExportDestination", () => {
  const awsRoleArn = "arn:aws:iam::123456789012:role/exports";
  const keyless = (platform: Platform, change: PropertyMap = {}): PropertyMap => {
    const { credentials: _, ...inputs } = destination(platform);
    return { ...inputs, ...change };
  };

  // @covers 2C.Destination.aws_role_arn
  it.each<[string, { awsRoleArn?: string }]>([
    ["with a role", { awsRoleArn }],
    ["without a key or a role", {}],
  ])("%s is created, and a refresh finds no drift", async (_what, change) => {
    const platform = await startPlatform({ platform: "today" });
    const stack = destinationStack(platform);
    await stack.up(keyless(platform, change));
    expect(await destinationsIn(platform)).toMatchObject([
      { credentials_keys: [], aws_role_arn: change.awsRoleArn ?? null },
    ]);
    expect([await stack.refresh(), await stack.up(keyless(platform, change))]).toEqual(["same", "same"]);
  });

  // @covers 2C.Destination:switch
  it("changes from a key to a role and back in place, and a refresh shows what others changed", async () => {
    const platform = await startPlatform({ platform: "today" });
    const stack = destinationStack(platform);
    const { id } = await stack.stateAfter(destination(platform));
    expect(await stack.up(keyless(platform, { awsRoleArn }))).toBe("update");
    expect(await destinationsIn(platform)).toMatchObject([{ id, credentials_keys: [], aws_role_arn: awsRoleArn }]);
    expect(await stack.up(destination(platform))).toBe("update");
    expect(await destinationsIn(platform)).toMatchObject([{ id, aws_role_arn: null }]);
    await callTracingApi(platform, "PATCH", `bulk-exports/destinations/${id}`, { aws_role_arn: awsRoleArn });
    expect([await stack.refresh(), await stack.up(destination(platform))]).toEqual(["changed", "update"]);
    expect(await destinationsIn(platform)).toMatchObject([{ id, aws_role_arn: null }]);
  });
});

const TOKEN = { sessionToken: "a-token-of-the-store" };

// @covers 2C.Destination, 4C.POST /api/v1/bulk-exports/destinations
it("BulkExportDestination: a create sends the declared inputs and stores the server's response in state", async () => {
  const { platform, stack } = await startDestination();
  expect(await stack.up(destination(platform))).toBe("create");
  expect(platform.requests()).toEqual([`GET ${ALL}`, `POST ${ALL}`, `GET ${ALL}`]);
  const { id, outputs } = stateOf(stack);
  expect(await destinationsIn(platform)).toMatchObject([
    { id, display_name: "traces", config: { bucket_name: "exports", prefix: "agents" } },
  ]);
  expect(outputs).toMatchObject({
    ...{ tenantId: "11111111-1111-4111-8111-111111111111", credentialsKeys: ["access_key_id", "secret_access_key"] },
    ...{ createdAt: expect.stringContaining("2"), __server: { origin: new URL(platform.url).origin } },
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

  // @covers 2C.Destination, 2C.Destination.display_name, 2C.Destination.config, 2C.Destination.credentials
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

  // @covers 2C.Destination, 2C.Destination.destination_type, 2C.Destination.display_name
  it("only the required inputs when no others are declared, and a type that this package does not know", async () => {
    const declared = { destinationType: "gcs", displayName: "Lake", config: { bucketName: "traces" }, credentials };
    expect(await bodyOf(declared)).toEqual({
      ...{ destination_type: "gcs", display_name: "Lake" },
      ...{ config: { bucket_name: "traces" }, credentials: keys },
    });
  });
});
