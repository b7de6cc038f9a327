import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { S3Error } from "../../../src/bucket/errors";
import { createChecksum } from "../../../src/bucket/requests/checksums";
import { readRequest } from "../../../src/bucket/requests/request";
import { type VerifiedRequest, verify } from "../../../src/bucket/requests/signature";

/** The key, time and bucket of the examples in S3's documentation of signatures. */
const key = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
const now = Date.parse("2013-05-24T00:00:00Z");
const host = "examplebucket.s3.amazonaws.com";
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

function request(method: string, url: string, headers: Record<string, string>) {
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming, { method, url, rawHeaders: Object.entries({ host, ...headers }).flat() });
  for (const [name, value] of Object.entries({ host, ...headers })) incoming.headersDistinct[name] = [value];
  return readRequest(incoming, "s3.amazonaws.com");
}

function signedHeaders(signature: string, headers: Record<string, string>) {
  const all = { host, "x-amz-date": "20130524T000000Z", ...headers };
  const names = Object.keys(all).sort().join(";");
  const credential = `Credential=${key.accessKeyId}/20130524/us-east-1/s3/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 ${credential},SignedHeaders=${names},Signature=${signature}`;
  return { ...all, authorization };
}

const get = { "x-amz-content-sha256": emptyHash };

const special = {
  date: "Fri, 24 May 2013 00:00:00 GMT",
  "x-amz-storage-class": "REDUCED_REDUNDANCY",
  "x-amz-content-sha256": "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
};

test.each<[string, string, string, Record<string, string>]>([
  [
    "GET",
    "/test.txt",
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    { ...get, range: "bytes=0-9" },
  ],
  ["PUT", "/test%24file.text", "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd", special],
  ["GET", "/?lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543", get],
  ["GET", "/?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7", get],
])("the documented signature of %s %s is valid", (method, url, signature, headers) => {
  expect(() => verify(request(method, url, signedHeaders(signature, headers)), key, now)).not.toThrow();
  const other = signature.replace(/^./, (first) => (first === "0" ? "1" : "0"));
  expect(() => verify(request(method, url, signedHeaders(other, headers)), key, now)).toThrow(S3Error);
});

test("the documented signature in a URL is valid until it expires", () => {
  const query =
    "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2F" +
    "aws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" +
    "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
  const signed = request("GET", `/test.txt?${query}`, {});
  expect(verify(signed, key, now + 86_400_000).payload).toBe("UNSIGNED-PAYLOAD");
  expect(() => verify(signed, key, now + 86_400_001)).toThrow("Request has expired");
  const longer = request("GET", `/test.txt?${query.replace("86400", "86401")}`, {});
  expect(() => verify(longer, key, now)).toThrow(expect.objectContaining({ code: "SignatureDoesNotMatch" }));
});

describe("the documented chunks", () => {
  const chunkHeaders = {
    "content-encoding": "aws-chunked",
    "x-amz-decoded-content-length": "66560",
    "x-amz-storage-class": "REDUCED_REDUNDANCY",
  };
  /** SHA-256 of 65,536 and of 1,024 letters a. */
  const [large, small] = [
    "bf718b6f653bebc184e1479f1935b8da974d701b893afcf49e701f3e2f9f9c5a",
    "2edc986847e209b4016e141a6dc8716d3207350f416969382d431539bf292e4a",
  ];
  const check = ({ chunkSigner: chunks }: VerifiedRequest, ...signatures: string[]) => {
    for (const [index, hash] of [large, small, emptyHash].entries()) chunks.check("PAYLOAD", hash, signatures[index]);
  };
  const seed = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9";
  const signatures = [
    "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
    "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
    "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
  ];
  const verifyUpload = () => {
    const all = {
      ...chunkHeaders,
      host: "s3.amazonaws.com",
      "content-length": "66824",
      "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
    };
    return verify(request("PUT", "/examplebucket/chunkObject.txt", signedHeaders(seed, all)), key, now);
  };

  test("are valid in order", () => {
    expect(() => check(verifyUpload(), ...signatures)).not.toThrow();
  });

  test("are invalid in another order or without a signature", () => {
    const [first = "", second = "", last = ""] = signatures;
    expect(() => check(verifyUpload(), second, first, last)).toThrow(S3Error);
    expect(() => check(verifyUpload(), first)).toThrow(S3Error);
  });

  test("are valid with a trailer", () => {
    const all = {
      ...chunkHeaders,
      host: "s3.amazonaws.com",
      "x-amz-trailer": "x-amz-checksum-crc32c",
      "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
    };
    const signature = "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e";
    const verified = verify(request("PUT", "/examplebucket/chunkObject.txt", signedHeaders(signature, all)), key, now);
    check(
      verified,
      "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2",
      "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7",
      "2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992",
    );
    // SHA-256 of "x-amz-checksum-crc32c:sOO8/Q==\n".
    const trailer = "1e376db7e1a34a8ef1c4bcee131a2d60a1cb62503747488624e10995f448d774";
    expect(() =>
      verified.chunkSigner.check(
        "TRAILER",
        trailer,
        "d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435",
      ),
    ).not.toThrow();
  });
});

test.each([
  ["crc32", "cbf43926"],
  ["crc32c", "e3069283"],
  ["crc64nvme", "ae8b14860a799888"],
])("the checksum %s has its standard check value, however the bytes are split", (name, value) => {
  const checksum = createChecksum(name);
  for (const piece of ["1234", "", "56789"]) checksum.update(Buffer.from(piece));
  expect(Buffer.from(checksum.digest(), "base64").toString("hex")).toBe(value);
});
