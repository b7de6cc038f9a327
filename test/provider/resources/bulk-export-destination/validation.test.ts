/** Validation of a destination in a preview: errors for what can never work, warnings for what probably does not. */
import { runtime } from "@pulumi/pulumi";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { destinationStack } from "../../../support/exports/destinations";
import { CheckError } from "../../../support/stack";
import { TestClock } from "../../../support/time/clock";

const config = { bucketName: "exports", prefix: "agents", endpointUrl: "https://store.example" };
const credentials = { accessKeyId: "AKIA", secretAccessKey: "a-secret-of-the-store" };
const declared: PropertyMap = { destinationType: "s3", displayName: "team's traces_1 - x", config, credentials };

const offline = () => destinationStack({ clock: new TestClock(), url: "https://tracing.example" });

async function warningsOf(change: PropertyMap): Promise<string[]> {
  const stack = offline();
  await stack.check({ ...declared, ...change });
  return stack.messages;
}

async function failuresOf(properties: PropertyMap): Promise<string> {
  const error = await offline()
    .check(properties)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CheckError);
  return (error as CheckError).message;
}

it("a valid destination causes no warning", async () => {
  expect(await warningsOf({})).toEqual([]);
  expect(await warningsOf({ config: { bucketName: "my.bucket-1", region: "eu-west-1" } })).toEqual([]);
});

// @covers 2C.Destination.config:place
it.each<[string, PropertyMap, RegExp]>([
  ["a type that no server is known to take", { destinationType: "gcs" }, /^warn: destinationType: "gcs" is not known/],
  [
    "a style",
    { config: { ...config, configKwargsS3: { addressingStyle: "dns" } } },
    /addressingStyle: "dns" is not known; known values: auto/,
  ],
  ["a name that servers reject", { displayName: "traces/prod" }, /^warn: displayName: servers accept/],
  ["a short bucket", { config: { ...config, bucketName: "ab" } }, /^warn: config.bucketName: .*3 to 63/],
  ["a long bucket", { config: { ...config, bucketName: "a".repeat(64) } }, /^warn: config.bucketName: .*3 to 63/],
  ["a bucket as an address", { config: { ...config, bucketName: "s3://exports" } }, /bucketName: .*without s3:/],
  ["a bucket with capitals", { config: { ...config, bucketName: "Exports" } }, /bucketName: .*lowercase/],
  ["a slash before the prefix", { config: { ...config, prefix: "/a/b" } }, /^warn: config.prefix: .*use "a\/b"/],
  ["slashes before the prefix", { config: { ...config, prefix: "//a" } }, /^warn: config.prefix: .*use "a"/],
  [
    "an endpoint after other text",
    { config: { ...config, endpointUrl: "at https://store.example" } },
    /endpointUrl: is not a valid URL/,
  ],
  ["an endpoint without its scheme", { config: { ...config, endpointUrl: "store.example" } }, /endpointUrl: .*https:/],
  ["region and endpoint", { config: { ...config, region: "eu-west-1" } }, /^warn: config.region: .*both/],
  ["neither region nor endpoint", { config: { bucketName: "exports" } }, /^warn: config: .*neither region/],
])("%s causes one warning and no error", async (_what, change, expected) => {
  const rows = await warningsOf(change);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatch(expected);
});

it("a bucket name of 3 or 63 characters causes no warning", async () => {
  for (const bucketName of ["abc", "a".repeat(63)]) {
    expect(await warningsOf({ config: { ...config, bucketName } })).toEqual([]);
  }
});

it("an unknown input causes no warning", async () => {
  const { unknownValue } = runtime;
  for (const change of [
    { displayName: unknownValue },
    { config: unknownValue },
    { config: { ...config, bucketName: unknownValue, prefix: unknownValue } },
    { config: { bucketName: "exports", region: unknownValue } },
    { credentials: unknownValue },
    { credentials: { ...credentials, secretAccessKey: unknownValue } },
  ]) {
    expect(await warningsOf(change)).toEqual([]);
  }
});

it.each<[string, PropertyMap, string]>([
  ["no bucket", { ...declared, config: {} }, "config.bucketName is required"],
  ["a role beside credentials", { ...declared, awsRoleArn: "arn:aws:iam::123456789012:role/a" }, "awsRoleArn"],
  ["half a key", { ...declared, credentials: { accessKeyId: "AKIA" } }, "credentials.secretAccessKey is required"],
  ["a field in snake case", { ...declared, config: { ...config, bucket_name: "x" } }, 'did you mean "bucketName"'],
])("a destination with %s fails check", async (_what, inputs, expected) => {
  expect(await failuresOf(JSON.parse(JSON.stringify(inputs)))).toContain(expected);
});

it("keys of the store's client are passed on unchanged", async () => {
  const open = { ...config, configKwargsS3: { addressingStyle: "path", use_accelerate_endpoint: false } };
  const stack = offline();
  const checked = await stack.check({
    ...declared,
    config: { ...open, s3AdditionalKwargs: { ServerSideEncryption: "x" } },
  });
  expect(checked.config).toEqual({ ...open, s3AdditionalKwargs: { ServerSideEncryption: "x" } });
});
