import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newFolder } from "../../../../emulator/test/support/folder";
import { BackupReader } from "../../../../provider/conversations/file/backup-reader";
import { Journal } from "../../../../provider/conversations/file/journal";
import { openBucket } from "../../../../provider/conversations/place/bucket/bucket";
import { findRegion } from "../../../../provider/conversations/place/bucket/credentials";
import { openPlace } from "../../../../provider/conversations/place/open-place";
import { type Reply, TestServer } from "../../../support/servers/server";
import { TestClock } from "../../../support/time/clock";
import { environmentOf, threadsIn } from "../support/backups";

const [MALFORMED, OTHER_REGION] = ["AuthorizationHeaderMalformed", "is in the region eu-1: set AWS_REGION"];

describe("a bucket that does not respond as it should", () => {
  const key = { accessKeyId: "key-of-the-bucket", secretAccessKey: "secret-of-the-bucket" };
  const responses = (...all: [number, string?, Record<string, string>?][]) =>
    all.map(
      ([status, body = "", headers = {}]): Reply =>
        (response) =>
          void response.writeHead(status, headers).end(body),
    );
  const errorBody = (code: string, more = "") =>
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>A &lt;text&gt; of the store.</Message>${more}</Error>`;

  async function readFrom(replies: Reply[], env = {}) {
    const answering = await TestServer.start(replies);
    const url = answering.url.href.replace(/\/$/, "");
    const place = openBucket("s3://exports/b", { ...environmentOf({ url, ...key }), ...env }, new TestClock());
    const outcome = await BackupReader.open(place).catch((error: Error) => error.message);
    await place.close();
    return { outcome, requests: answering.requests };
  }

  it("is asked again while it is overloaded or does not respond, and says what failed in the end", async () => {
    const lost: Reply = (response) => void response.destroy();
    const passing = await readFrom([lost, ...responses([503, errorBody("SlowDown")], [404, errorBody("NoSuchKey")])]);
    expect(passing.outcome).toContain("contains no complete backup");
    const { outcome, requests } = await readFrom(responses([503, errorBody("SlowDown")]));
    expect(outcome).toBe("GET s3://exports/b/manifest.json failed: 503 SlowDown: A <text> of the store.");
    expect(requests).toHaveLength(6);
  });

  it.each([
    ["is in another region", 301, errorBody("PermanentRedirect"), { "x-amz-bucket-region": "eu-1" }, OTHER_REGION],
    ["is signed for another region", 400, errorBody(MALFORMED, "<Region>eu-1</Region>"), {}, OTHER_REGION],
    ["may not be read", 403, errorBody("AccessDenied"), {}, "need s3:GetObject to compare a backup"],
    ["is not one", 200, "<html>hello</html>", {}, "is not the manifest of a backup"],
  ])("that %s is named with the remedy, and without a credential", async (_what, status, body, headers, message) => {
    const { outcome, requests } = await readFrom(responses([status, body, headers]));
    expect(outcome).toContain(message);
    expect(outcome).not.toMatch(/key-of|secret-of|Signature=/);
    expect(requests).toHaveLength(1);
  });

  it("is asked with the credentials and the region of the AWS CLI where the environment has none", async () => {
    const bin = newFolder();
    const credentials = { Version: 1, AccessKeyId: "AKIDOFCLI", SecretAccessKey: "s", SessionToken: "token-of-cli" };
    const script = `#!/bin/sh\ncase "$2" in get) echo eu-west-3;; *) echo '${JSON.stringify(credentials)}';; esac\n`;
    await writeFile(join(bin, "aws"), script, { mode: 0o755 });
    const { requests } = await readFrom(responses([404]), {
      ...{ AWS_ACCESS_KEY_ID: "", AWS_REGION: "", PATH: `${bin}:/usr/bin:/bin` },
    });
    expect(requests[0]?.headers).toMatchObject({ "x-amz-security-token": "token-of-cli" });
    expect(requests[0]?.headers.authorization).toMatch(/Credential=AKIDOFCLI\/\d{8}\/us-east-1\/s3/);
    expect(await findRegion({ PATH: `${bin}:/usr/bin:/bin` }, "s3://b")).toBe("eu-west-3");
    await writeFile(join(bin, "aws"), "#!/bin/sh\necho 'Token for default does not exist' >&2; exit 255\n");
    const failed = await readFrom(responses([404]), { AWS_ACCESS_KEY_ID: "", PATH: `${bin}:/usr/bin:/bin` });
    expect(failed.outcome).toContain(
      "the AWS CLI was asked for them: Token for default does not exist. Set AWS_ACCESS",
    );
  });

  it("that may be read but not listed is compared, and not written or restored", async () => {
    const objects = new Map<string, Buffer>();
    const bucket = await TestServer.start([
      (response, { method = "", url = "", headers }) => {
        const [path = "", query] = url.split("?");
        const bytes = objects.get(path);
        if (query !== undefined || method === "PUT") return void response.writeHead(403).end(errorBody("AccessDenied"));
        if (!bytes) return void response.writeHead(404).end();
        const [, from = 0, to = bytes.length] = (/bytes=(\d+)-(\d+)/.exec(headers.range ?? "") ?? []).map(Number);
        const part = bytes.subarray(from, to + 1);
        response.writeHead(part.length > 0 ? 206 : 416, { "content-length": part.length, etag: '"1"' });
        response.end(method === "HEAD" ? undefined : part);
      },
    ]);
    const recorded = join(__dirname, "../../../old-backups/python-0.16.7");
    for (const name of await readdir(recorded)) objects.set(`/exports/b/${name}`, await readFile(join(recorded, name)));
    const place = openBucket("s3://exports/b", environmentOf({ url: bucket.url.href, ...key }), new TestClock());
    expect(Object.keys(await threadsIn(place))).toHaveLength(4);
    await expect(Journal.open(place, "http://localhost:1/")).rejects.toThrow(
      /GET s3:\/\/exports\/ failed: 403 AccessDenied/,
    );
    await place.close();
  });

  it("that ignores conditions is not written to", async () => {
    const { url } = await TestServer.start([
      (response, { method }) =>
        void response.writeHead(200, { etag: '"1"' }).end(method === "GET" ? "<List></List>" : ""),
    ]);
    const place = openBucket("s3://exports/b", environmentOf({ url: url.href, ...key }), new TestClock());
    const log = await place.openLog("log");
    await expect(log.append("line")).rejects.toThrow("ignores the conditions of writes");
    await place.close();
  });

  it("counts a write as done whose first response was lost", async () => {
    const bytes = Buffer.from("content");
    const answering = await TestServer.start([
      (response) => void response.destroy(),
      ...responses([412, errorBody("PreconditionFailed")], [200, "content", { etag: '"1"' }]),
    ]);
    const place = openBucket("s3://exports/b", environmentOf({ url: answering.url.href, ...key }), new TestClock());
    await place.write("file", bytes, "absent");
    expect(answering.requests.map(({ method }) => method)).toEqual(["PUT", "PUT", "GET"]);
    await place.close();
  });

  it("is one of S3: another scheme is refused", async () => {
    await expect(openPlace("gs://bucket/prefix", { folder: "/", env: {} })).rejects.toThrow(
      "gs://bucket/prefix is neither a folder nor a place in a bucket. Expected a path, or s3://bucket/prefix.",
    );
    expect((await openPlace("S3://bucket/prefix", { folder: "/", env: {} })).name).toBe("s3://bucket/prefix");
    expect((await openPlace("a/b", { folder: "/c", env: {} })).kind).toBe("folder");
  });

  it.each([
    ["s3://", {}, "names no bucket"],
    ["s3://exports", {}, "names no prefix in the bucket"],
    ["s3://exports/", {}, "names no prefix in the bucket"],
    ["s3://exports/a/../b", {}, "names no prefix in the bucket"],
    ["s3://exports/b", { AWS_ACCESS_KEY_ID: "a\nb", AWS_SECRET_ACCESS_KEY: "c" }, "contain a space, a line break"],
    ["s3://exports/b", { AWS_ENDPOINT_URL_S3: "ftp://host" }, "is not the address of an object store"],
    ["s3://exports/b", { AWS_ENDPOINT_URL_S3: "", AWS_REGION: "" }, "The region of s3://exports is not known"],
    ["s3://exports/b", { AWS_ACCESS_KEY_ID: "" }, "No credentials for s3://exports were found"],
  ])("is not asked for %s with %j", async (at, env, message) => {
    const base = { ...environmentOf({ url: "http://127.0.0.1:1", ...key }), PATH: "" };
    const read = async () => openBucket(at, { ...base, ...env }).read("file");
    await expect(read()).rejects.toThrow(message);
  });
});
