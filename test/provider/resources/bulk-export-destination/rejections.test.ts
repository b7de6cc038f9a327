/** Rejected destinations: the error contains the property and the fix. */
import { failureOf, withoutRequestId } from "../../../support/errors";
import {
  createDestination,
  destination,
  destinationStack,
  destinationsIn,
  startDestination,
} from "../../../support/exports/destinations";
import { startPlatform } from "../../../support/platform";
import { stateOf } from "../../../support/stack";

const NEEDED = /s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucket/;

/** Messages that stores and servers are known to return. */
// @covers 7:destinations
it.each([
  ["Access Denied", "credentials", NEEDED],
  ["An error occurred (AccessDenied) when calling the PutObject operation: Access Denied", "credentials", NEEDED],
  ["Access Denied: the credentials may not write to the bucket", "credentials", NEEDED],
  ["The specified bucket is not valid.", "config.bucketName", /a bucket that exists/],
  ["Error (NoSuchBucket): The specified bucket does not exist", "config.bucketName", /Create the bucket first/],
  [
    "The AWS Access Key Id you provided does not exist in our records.",
    "credentials.accessKeyId",
    /does not recognize/,
  ],
  ["The request signature we calculated does not match", "credentials.secretAccessKey", /belongs to accessKeyId/],
  ["The provided token has expired.", "credentials.sessionToken", /permanent access key/],
  ["Invalid endpoint: https://bucket-does-not-exist.example", "config.endpointUrl", /https:\/\//],
  ['Could not connect to the endpoint URL: "http://key.example/x"', "config.endpointUrl", /the server can reach/],
  ["The bucket you are attempting to access must be addressed using another region", "config.region", /region/],
  ["The difference between the request time and the bucket's time is too large", "config", NEEDED],
])('the rejection "%s" is explained by %s', async (rejection, property, fix) => {
  const { platform, stack } = await startDestination();
  const detail = `Failed to validate S3 destination: ${rejection}`;
  await platform.addFault({ method: "POST", status: 400, body: { detail } });
  const { message } = await failureOf(stack.up(destination(platform)));
  expect(message.startsWith(`BulkExportDestination "traces": ${property}: ${detail}`)).toBe(true);
  expect(message).toMatch(fix);
  expect(message).toContain("No changes were made.");
  expect(stack.state).toBeUndefined();
  expect(await stack.up(destination(platform))).toBe("create");
});

describe("a rejection", () => {
  const PREFIX = "Failed to validate S3 destination:";

  async function rejectionOf(status: number, detail: string, headers = {}): Promise<string> {
    const platform = await startPlatform({}, { method: "POST", status, body: { detail }, headers });
    return (await failureOf(destinationStack(platform).up(destination(platform)))).message;
  }

  it("contains the ID of the request", async () => {
    expect(await rejectionOf(400, `${PREFIX} Access Denied`, { "x-request-id": "r-17" })).toContain(
      `${PREFIX} Access Denied (request ID r-17)\n`,
    );
  });

  it.each(["unhappy", "http://token.example/region was unhappy", "unhappy https://token.example/signature/x"])(
    "is not explained by the prefix of the server, and by no URL: %s",
    async (words) => {
      const message = await rejectionOf(400, `${PREFIX} ${words}`);
      expect(message).toMatch(/"traces": config: .*Check that the bucket exists in this store/s);
    },
  );

  // @covers 10C.tested
  it.each([409, 422])("with the status %i is shown unchanged", async (status) => {
    const message = withoutRequestId(await rejectionOf(status, `${PREFIX} Access Denied`));
    expect(message.endsWith(`: ${status}: ${PREFIX} Access Denied`)).toBe(true);
  });
});

describe("with a real bucket", () => {
  // @covers 4C.POST /api/v1/bulk-exports/destinations:tested, 7:destinations
  it.each([
    ["a bucket that is not there", { config: { bucketName: "no-such-bucket" } }, "config.bucketName: "],
    ["an unknown key", { credentials: { accessKeyId: "AKIAUNKNOWN000000000" } }, "credentials.accessKeyId: "],
    ["a wrong secret", { credentials: { secretAccessKey: "the-secret-of-another" } }, "credentials.secretAccessKey: "],
  ])("%s is rejected, and no destination is created", async (_what, change, begins) => {
    const platform = await startPlatform();
    const { message } = await failureOf(destinationStack(platform).up(destination(platform, change)));
    expect(message.startsWith(`BulkExportDestination "traces": ${begins}`)).toBe(true);
    expect(await destinationsIn(platform)).toEqual([]);
  });

  // @covers 4C.POST /api/v1/bulk-exports/destinations:tested
  it("a rotation to a wrong secret is rejected and keeps the old one, and the right one is accepted", async () => {
    const { platform, stack, id, outputs } = await createDestination();
    const wrong = destination(platform, { credentials: { secretAccessKey: "the-secret-of-another" } });
    const { message } = await failureOf(stack.up(wrong));
    expect(message.startsWith('BulkExportDestination "traces": credentials.secretAccessKey: ')).toBe(true);
    expect(message).not.toContain("the-secret-of-another");
    expect(stateOf(stack).outputs).toEqual(outputs);
    expect(await stack.up(destination(platform))).toBe("same");
    expect(stateOf(stack).id).toBe(id);
  });
});
