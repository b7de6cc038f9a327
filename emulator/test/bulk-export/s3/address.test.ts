import { objectUrl } from "../../../src/bulk-export/s3/address";
import type { S3Target } from "../../../src/bulk-export/s3/client";

const target: S3Target = {
  bucketName: "exports",
  endpointUrl: undefined,
  addressingStyle: "auto",
  accessKeyId: "key",
  secretAccessKey: "secret",
};

describe("the URL of an object", () => {
  const at = (change: Partial<S3Target>, key = "dir/a b+c") => objectUrl({ ...target, ...change }, key).href;

  // @covers 2C.Destination.config:place
  test.each<[string, Partial<S3Target>, string]>([
    ["has the bucket in the host of the cloud store", {}, "https://exports.s3.us-east-1.amazonaws.com/dir/a%20b%2Bc"],
    ["has the region in the host", { region: "eu-west-1" }, "https://exports.s3.eu-west-1.amazonaws.com/dir/a%20b%2Bc"],
    [
      "has the bucket in the path with the addressing style path",
      { addressingStyle: "path" },
      "https://s3.us-east-1.amazonaws.com/exports/dir/a%20b%2Bc",
    ],
    [
      "has a bucket with dots in the path",
      { bucketName: "a.b.c" },
      "https://s3.us-east-1.amazonaws.com/a.b.c/dir/a%20b%2Bc",
    ],
    [
      "has the bucket in the path of an endpoint",
      { endpointUrl: "https://store.example/" },
      "https://store.example/exports/dir/a%20b%2Bc",
    ],
    [
      "has the bucket in the host of an endpoint with the addressing style virtual",
      { endpointUrl: "https://store.example", addressingStyle: "virtual" },
      "https://exports.store.example/dir/a%20b%2Bc",
    ],
    [
      "never has the bucket before an IP address",
      { endpointUrl: "http://[::1]:9000", addressingStyle: "virtual" },
      "http://[::1]:9000/exports/dir/a%20b%2Bc",
    ],
    [
      "is below the path of the endpoint",
      { endpointUrl: "http://store.example:1/s3/" },
      "http://store.example:1/s3/exports/dir/a%20b%2Bc",
    ],
  ])("%s", (_, change, url) => {
    expect(at(change)).toBe(url);
  });

  test("rejects keys and bucket names that lead to another object", () => {
    for (const key of ["a/../b", "./a", ".."])
      expect(() => at({}, key)).toThrow(expect.objectContaining({ code: "InvalidURI" }));
    for (const bucketName of ["a/b", "..", "a b", "", "a@b"]) {
      expect(() => at({ bucketName })).toThrow(expect.objectContaining({ code: "InvalidBucketName" }));
    }
  });
});
