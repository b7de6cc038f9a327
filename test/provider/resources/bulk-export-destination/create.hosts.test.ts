/** The request that creates a BulkExportDestination, and what state contains afterwards. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { TestClock } from "../../../support/clock";
import { destination, destinationStack, destinationsIn, startDestination } from "../../../support/destinations";
import { json, TestServer } from "../../../support/servers/server";
import { stateOf } from "../../../support/stack";

const ALL = "/api/v1/bulk-exports/destinations";
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
    tenantId: "11111111-1111-4111-8111-111111111111",
    credentialsKeys: ["access_key_id", "secret_access_key"],
    createdAt: expect.stringContaining("2"),
    __server: { origin: new URL(platform.url).origin },
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
