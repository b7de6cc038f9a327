import { objectUrl } from "../../../src/bulk-export/s3/address";
import type { S3Target } from "../../../src/bulk-export/s3/client";

const target: S3Target = {
  bucketName: "exports",
  endpointUrl: undefined,
  addressingStyle: "auto",
  accessKeyId: "key",
  secretAccessKey: "secret",
};

const virtual = { addressingStyle: "virtual" } as const;

describe("the URL of an object", () => {
  const at = (change: Partial<S3Target>, key = "dir/a b+c") => objectUrl({ ...target, ...change }, key).href;

  // @covers 2C.Destination.config:place
  test.each<[Partial<S3Target>, string]>([
    [{}, "https://exports.s3.us-east-1.amazonaws.com/dir/a%20b%2Bc"],
    [{ region: "eu-west-1" }, "https://exports.s3.eu-west-1.amazonaws.com/dir/a%20b%2Bc"],
    [{ addressingStyle: "path" }, "https://s3.us-east-1.amazonaws.com/exports/dir/a%20b%2Bc"],
    [{ bucketName: "a.b.c" }, "https://s3.us-east-1.amazonaws.com/a.b.c/dir/a%20b%2Bc"],
    [{ endpointUrl: "https://store.example/" }, "https://store.example/exports/dir/a%20b%2Bc"],
    [{ ...virtual, endpointUrl: "https://store.example" }, "https://exports.store.example/dir/a%20b%2Bc"],
    [{ ...virtual, endpointUrl: "http://[::1]:9000" }, "http://[::1]:9000/exports/dir/a%20b%2Bc"],
    [{ endpointUrl: "http://store.example:1/s3/" }, "http://store.example:1/s3/exports/dir/a%20b%2Bc"],
  ])("of a target with %j is %s", (change, url) => {
    expect(at(change)).toBe(url);
  });

  test("rejects keys and bucket names that lead to another object", () => {
    for (const key of ["a/../b", "./a", ".."])
      expect(() => at({}, key)).toThrow(expect.objectContaining({ code: "InvalidURI" }));
    for (const bucketName of ["a/b", "..", "a b", "", "a@b"])
      expect(() => at({ bucketName })).toThrow(expect.objectContaining({ code: "InvalidBucketName" }));
  });
});
