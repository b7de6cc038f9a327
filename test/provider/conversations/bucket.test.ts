/**
 * Backups in buckets, that of the emulator and one of an independent server: what is stored, and what others see
 * meanwhile.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../../../emulator/src";
import { startForeignBucket } from "../../../emulator/test/support/bucket/foreign-bucket";
import { BackupReader } from "../../../provider/conversations/file/backup-reader";
import { BackupWriter } from "../../../provider/conversations/file/backup-writer";
import { Journal } from "../../../provider/conversations/file/journal";
import { openBucket } from "../../../provider/conversations/place/bucket/bucket";
import { findRegion } from "../../../provider/conversations/place/bucket/credentials";
import { openPlace } from "../../../provider/conversations/place/open-place";
import type { Place } from "../../../provider/conversations/place/place";
import { TestClock } from "../../support/clock";
import { type Reply, TestServer } from "../../support/servers/server";

interface Access {
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  stop(): Promise<void>;
}

const environment = ({ url, accessKeyId, secretAccessKey }: Omit<Access, "stop">) => ({
  AWS_ENDPOINT_URL_S3: url,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
});

const time = "2026-11-27T00:00:00.000Z";
const server = { url: "https://agent.example/", language: "python" } as const;
const end = { server, startedAt: time, finishedAt: time, counts: { assistants: 0, items: 0, crons: 0 } };
const facts = (id: string) => ({ id, digest: `digest of ${id}`, thread: "", status: "idle" });

async function begin(place: Place, isUpdated = false): Promise<BackupWriter> {
  const writer = await BackupWriter.open(place, { isUpdated });
  await writer.begin(server.url, undefined);
  return writer;
}

async function finish(writer: BackupWriter): Promise<void> {
  for (const list of ["assistants", "store", "crons"] as const) await writer.writeLines(list, ["1"]);
  await writer.finish(() => true, end);
}

async function threadsIn(place: Place): Promise<Record<string, string>> {
  const reader = await BackupReader.open(place);
  const texts = await Promise.all(reader.entries.map(async (entry) => [entry.id, await reader.read(entry)] as const));
  return Object.fromEntries(texts);
}

const SERVERS: readonly [string, () => Promise<Access>][] = [
  [
    "the emulator",
    async () => {
      const emulator = await startEmulator({ speed: "instant" });
      return { ...emulator.bucket, stop: () => emulator.stop() };
    },
  ],
  [
    "another store",
    async () => {
      const foreign = await startForeignBucket();
      foreign.createBucket("exports");
      return foreign;
    },
  ],
];

describe.each(SERVERS)("a backup in a bucket of %s", (_name, start) => {
  let access: Access;
  let count = 0;
  let place: Place;
  beforeAll(async () => {
    access = await start();
  });
  afterAll(() => access.stop());
  beforeEach(() => {
    place = openBucket(`s3://exports/backups/b (${++count})+é`, environment(access));
  });
  afterEach(() => place.close());

  it("contains each thread, also one that is larger than what a request sends", async () => {
    const large = randomBytes(6_000_000).toString("base64");
    const writer = await begin(place);
    await Promise.all([writer.append(facts("a"), large), writer.append(facts("b"), '"b"')]);
    await finish(writer);
    expect(await threadsIn(place)).toEqual({ a: large, b: '"b"' });
    const names = ["assistants-0001.ndjson.zst", "crons-0001.ndjson.zst", "index-0001.ndjson", "manifest.json"];
    expect((await place.files()).sort()).toEqual([...names, "store-0001.ndjson.zst", "threads-0001-0001.ndjson.zst"]);
  });

  it("that ended early keeps its threads, and its update replaces it at once", async () => {
    const first = await begin(place);
    await first.append(facts("a"), '"a"');
    await first.close();
    const second = await begin(place);
    expect(second.find("a")).toMatchObject({ part: "threads-0001-0001.ndjson.zst" });
    await second.append(facts("b"), '"b"');
    await finish(second);
    const update = await begin(place, true);
    await update.append(facts("b"), '"b2"');
    expect(await threadsIn(place)).toEqual({ a: '"a"', b: '"b"' });
    await finish(update);
    expect(await threadsIn(place)).toEqual({ a: '"a"', b: '"b2"' });
    await expect(begin(place)).rejects.toThrow("Choose another bucket, or pass --since-backup");
  });

  it("leaves nothing of a killed command that had begun to send a large part", async () => {
    const killed = await begin(place);
    await killed.append(facts("a"), randomBytes(6_000_000).toString("base64"));
    const next = await begin(place);
    expect(next.find("a")).toBeUndefined();
    await next.append(facts("b"), '"b"');
    await finish(next);
    expect(await threadsIn(place)).toEqual({ b: '"b"' });
    await expect(killed.append(facts("c"), "").then(() => finish(killed))).rejects.toThrow();
    expect(await threadsIn(place)).toEqual({ b: '"b"' });
  });

  it("is written by one command at a time", async () => {
    const [first, second] = [await begin(place), await begin(place)];
    await first.append(facts("a"), '"first"');
    await second.append(facts("a"), '"second"');
    await expect(finish(first)).rejects.toThrow("Another command has written");
    await finish(second);
    expect(await threadsIn(place)).toEqual({ a: '"second"' });
  });

  it("notes what a restore writes before it does, in few objects", async () => {
    const journal = await Journal.open(place, "https://agent.example");
    const ids = Array.from({ length: 3000 }, (_, index) => `thread-${index}`);
    for (let at = 0; at < ids.length; at += 100)
      await Promise.all(
        ids.slice(at, at + 100).map((id) => journal.note({ id, state: "begin", digest: "d".repeat(64) })),
      );
    const [first, second] = [
      await Journal.open(place, "https://agent.example"),
      await place.openLog("restored-to-agent.example-745cf503.ndjson"),
    ];
    expect(ids.filter((id) => first.get(id)?.state !== "begin")).toEqual([]);
    expect((await place.files()).length).toBeLessThan(8);
    await second.append("{}");
    await expect(journal.note({ id: "late", state: "begin" })).rejects.toThrow("Another command has written");
  });

  it("lists the places below one, and reads a range", async () => {
    await place.at("one/two").write("file", Buffer.from("0123456789"));
    await place.at("other").write("file", Buffer.from(""));
    expect([await place.places(), await place.files()]).toEqual([["one", "other"], []]);
    expect((await place.at("one").places()).concat(await place.at("one/two").files())).toEqual(["two", "file"]);
    expect((await place.at("one/two").readRange("file", 3, 4)).toString()).toBe("3456");
    await expect(place.at("one/two").readRange("file", 8, 4)).rejects.toThrow("file: its end is missing.");
    const content = await place.at("one/two").read("file");
    await expect(place.at("one/two").write("file", Buffer.from(""), "absent")).rejects.toThrow("Another command");
    await place.at("one/two").write("file", Buffer.from("new"), { version: content?.version ?? "" });
    await expect(
      place.at("one/two").write("file", Buffer.from(""), { version: content?.version ?? "" }),
    ).rejects.toThrow("Another command");
  });

  it.each([
    ["a bucket that does not exist", "s3://absent-bucket/x", {}, /There is no bucket absent-bucket\./],
    ["another secret", "s3://exports/x", { AWS_SECRET_ACCESS_KEY: "wrong-wrong" }, /403 SignatureDoesNotMatch/],
    [
      "another key",
      "s3://exports/x",
      { AWS_ACCESS_KEY_ID: "AKIAUNKNOWN" },
      /403 InvalidAccessKeyId|XAdminUserNotFound/,
    ],
  ])("is refused with %s", async (_what, at, env, message) => {
    const refused = openBucket(at, { ...environment(access), ...env });
    const error = await BackupWriter.open(refused, { isUpdated: false }).catch((thrown: Error) => thrown);
    expect(String((error as Error).message)).toMatch(message);
    expect((error as Error).message).not.toMatch(/wrong-wrong|AKIAUNKNOWN/);
    await refused.close();
  });
});

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
    const place = openBucket("s3://exports/b", { ...environment({ url, ...key }), ...env }, new TestClock());
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
    [
      "is in another region",
      301,
      errorBody("PermanentRedirect"),
      { "x-amz-bucket-region": "eu-central-1" },
      "is in the region eu-central-1: set AWS_REGION",
    ],
    [
      "is signed for another region",
      400,
      errorBody("AuthorizationHeaderMalformed", "<Region>eu-west-1</Region>"),
      {},
      "is in the region eu-west-1: set AWS_REGION",
    ],
    ["may not be read", 403, errorBody("AccessDenied"), {}, "need s3:GetObject to compare a backup"],
    ["is not one", 200, "<html>hello</html>", {}, "is not the manifest of a backup"],
  ])("that %s is named with the remedy, and without a credential", async (_what, status, body, headers, message) => {
    const { outcome, requests } = await readFrom(responses([status, body, headers]));
    expect(outcome).toContain(message);
    expect(outcome).not.toMatch(/key-of|secret-of|Signature=/);
    expect(requests).toHaveLength(1);
  });

  it("is asked with the credentials and the region of the AWS CLI where the environment has none", async () => {
    const bin = await mkdtemp(join(tmpdir(), "agentgraph-aws-"));
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
    await rm(bin, { recursive: true });
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
    const recorded = join(__dirname, "../../old-backups/python-0.16.7");
    for (const name of await readdir(recorded)) objects.set(`/exports/b/${name}`, await readFile(join(recorded, name)));
    const place = openBucket("s3://exports/b", environment({ url: bucket.url.href, ...key }), new TestClock());
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
    const place = openBucket("s3://exports/b", environment({ url: url.href, ...key }), new TestClock());
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
    const place = openBucket("s3://exports/b", environment({ url: answering.url.href, ...key }), new TestClock());
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
    const base = { ...environment({ url: "http://127.0.0.1:1", ...key }), PATH: "" };
    const read = async () => openBucket(at, { ...base, ...env }).read("file");
    await expect(read()).rejects.toThrow(message);
  });
});
