/**
 * `agentgraph review --live`: what it asks the agent servers of deployments that would be replaced or deleted, and
 * says.
 */
import type { IncomingMessage } from "node:http";
import { countAtStake } from "../../../cli/conversations/at-stake";
import { Stakes } from "../../../cli/conversations/stakes";
import { checkConversations } from "../../../cli/doctor/conversations";
import { withAtStake } from "../../../cli/review/at-stake";
import { formatComment } from "../../../cli/review/comment/comment";
import { readPreview } from "../../../cli/review/preview/preview-json";
import { findMatches, reviewOf } from "../../../cli/review/summary";
import { UNKNOWN } from "../../../provider/plan/property-values";
import { readSettings } from "../../../provider/settings/settings";
import { html, json, type Reply, TestServer } from "../../support/servers/server";
import { TestClock } from "../../support/time/clock";
import { agentgraph } from "../support/command";
import { readReport } from "../support/doctor-report";
import { type Bag, digest, image, NOW } from "../support/previews";

const ID = "11111111-1111-4111-8111-111111111111";
const URN = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentgraph:Deployment::agent";
const KEY = "the-key-of-the-review";

interface Kept {
  threads?: { status: string }[];
  /** By status; the empty one is that of all. */
  counts?: Record<string, number>;
  assistants?: object[];
  crons?: object[];
  items?: object[];
  /** Whether it needs no key. */
  isOpen?: boolean;
  /** The most that a page contains, whatever is requested. */
  maxPage?: number;
}

/** Starts a server that is both control plane and agent server. */
async function start(kept: Kept): Promise<TestServer> {
  const server = await TestServer.start([
    (response, request) => replyTo(kept, request, server.requests.at(-1)?.body ?? "")(response, request),
  ]);
  return server;
}

function replyTo({ counts, maxPage = 1000, isOpen, ...kept }: Kept, request: IncomingMessage, body: string): Reply {
  const { url = "", headers } = request;
  const one = { id: ID, name: "agent", source: "github", status: "READY", url: `http://${headers.host}/agent` };
  if (url.startsWith("/v2/")) return json(200, url.includes(ID) ? one : { resources: [one] });
  if (!isOpen && headers["x-api-key"] !== KEY) return json(403, { detail: "Forbidden" });
  if (url.endsWith("/info")) return json(200, { flags: { crons: kept.crons !== undefined } });
  const { status = "", limit, offset = 0 } = JSON.parse(body) as { status?: string; limit: number; offset?: number };
  if (url.endsWith("/count")) return json(200, counts?.[status] ?? 0);
  const list = url.split("/").at(-2) as keyof typeof kept;
  // As servers in JavaScript answer where they have no crons.
  if (list === "crons" && !kept.crons) return html(500, "Not implemented");
  const page = (kept[list] ?? []).map(withId).slice(offset, offset + Math.min(limit, maxPage));
  return json(200, list === "items" ? { items: page } : page);
}

const withId = (item: object, n: number) => ({
  ...{ thread_id: `${n}`, assistant_id: `${n}`, cron_id: `${n}`, namespace: ["n"], key: `${n}` },
  ...item,
});

const many = <T extends object>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

const replaced = (after: Bag = {}, before: Bag = {}) =>
  digest([
    { op: "replace", id: ID, before: { ...image("1"), ...before }, after: { ...image("1"), name: "other", ...after } },
  ]);

/** Runs the command on a server that needs no other settings. */
async function run({ url }: TestServer, input: string, ...args: string[]) {
  const env = { AGENTGRAPH_URL: url.href, AGENTGRAPH_API_KEY: KEY };
  const ended = await agentgraph({ args: ["review", ...args], input, env, cwd: __dirname });
  expect(ended.stdout + ended.stderr).not.toContain(KEY);
  return ended;
}

/** Returns the comment of `--live`, and the resources whose conversations are lost. */
async function review({ url }: TestServer, input: string, key = KEY) {
  const settings = readSettings(() => undefined, { AGENTGRAPH_URL: url.href, AGENTGRAPH_API_KEY: key });
  const stakes = new Stakes(settings, [key]);
  const preview = readPreview(input, "a preview");
  const asked = await withAtStake(reviewOf(preview, NOW), preview, (id) => stakes.ask(() => id));
  await stakes.close();
  const matches = findMatches([asked], ["conversations-lost", "data-loss"]);
  return { text: formatComment([asked]), lost: matches["conversations-lost"] ?? [], matches, changes: asked.changes };
}

const SMALL: Kept = {
  threads: [...many(4, { status: "idle" }), ...many(2, { status: "interrupted" }), { status: "busy" }],
  assistants: [{ metadata: { created_by: "system" } }, { metadata: {} }],
  crons: [{}],
  items: many(3, {}),
};

it.each([1000, 2])("The conversations of a replaced deployment are counted, %i per page", async (maxPage) => {
  const server = await start({ ...SMALL, maxPage });
  const args = ["--live", "--fail-on", "conversations-lost"];
  const { code, stdout, stderr } = await run(server, replaced(), ...args);
  expect(stdout).toContain(
    "**7 threads (2 wait for an answer, 1 busy), 1 assistant, 1 cron, 3 stored items would be lost, as seen " +
      "by this key**",
  );
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^--fail-on conversations-lost \(.*\): agent\n$/)]);
});

it("A server that needs no key shows everything, and one without threads loses none", async () => {
  const server = await start({ ...SMALL, isOpen: true });
  expect((await review(server, replaced())).text).toContain("3 stored items would be lost**");
  const unsure = await review(await start({}), replaced());
  expect([unsure.lost, unsure.text]).toEqual([
    ["agent"],
    expect.stringContaining("**0 threads, 0 assistants, 0 stored items would be lost, as seen by this key**"),
  ]);
});

it("A server with many threads counts them, and numbers that are not known are not zero", async () => {
  const threads = [...many(3, { status: "busy" }), ...many(997, { status: "idle" })];
  const counts = { "": 4312, interrupted: 7 };
  const server = await start({ threads, counts, assistants: many(1001, {}), items: [], maxPage: 100 });
  const { changes, text } = await review(server, replaced());
  expect(changes[0]?.conversations).toEqual({
    outcome: "lost",
    counts: {
      ...{ threads: 4312, waiting: 7, busy: 3, assistants: 1000, items: 0 },
      ...{ minimums: ["assistants"], unknown: [], isPartial: true },
    },
  });
  expect(text).toContain("4,312 threads (7 wait for an answer, 3 busy), at least 1,000 assistants, 0 stored items");
});

it("What a proxy did not find for some seconds is counted, and what a server lacks is not", async () => {
  const clock = new TestClock();
  /** @param misses How often all lists except that of threads are not found. Each contains one object. */
  const count = (misses: number) => {
    const counts: Record<string, number> = {};
    const probe = async ({ path }: { path: string }) => {
      const found = (counts[path] ?? (path.startsWith("/threads") ? misses : 0)) + 1;
      counts[path] = found;
      if (found <= misses) return { status: 404, json: {} };
      const page = found === misses + 1 ? [withId({}, 1)] : [];
      return { status: 200, json: page, text: JSON.stringify(path.startsWith("/store") ? { items: page } : page) };
    };
    const [now, sleep] = [() => clock.now(), (ms: number) => clock.sleep(ms)];
    return countAtStake({ probe, probeWithoutKey: undefined, now, sleep, deadline: clock.now() + 10_000 });
  };
  expect(await count(2)).toMatchObject({ known: { threads: 1, crons: 1, items: 1, unknown: [] } });
  expect(await count(99)).toEqual({ known: expect.not.objectContaining({ crons: expect.anything() }) });
});

it("A deployment that keeps its conversations moves them, or backs them up before it is deleted", async () => {
  const server = await start(SMALL);
  const keepConversations = { at: "s3://bucket/prefix", waiting: "leave" };
  const keeps = { keepConversations };
  const moved = await review(server, replaced(keeps, keeps));
  expect([moved.lost, moved.text]).toEqual([[], expect.stringContaining("3 stored items would be moved, as seen")]);
  const deleted = digest([{ op: "delete", id: ID, before: { ...image("1"), ...keeps } }]);
  expect((await review(server, deleted)).text).toContain("3 stored items would be kept in a backup, as seen");
});

it("What a program declares on a deployment whose conversations move is not lost", async () => {
  const server = await start(SMALL);
  const keeps = { keepConversations: { at: "kept" } };
  const deployment = {
    op: "replace",
    id: ID,
    before: { ...image("1"), ...keeps },
    after: { ...image("1"), name: "other", ...keeps },
  };
  const ids = { before: { deploymentId: ID }, after: { deploymentId: UNKNOWN } };
  const updated = { op: "update", kind: "Thread", name: "chat", ...ids };
  // As newer engines do with the resource option deletedWith.
  const replaced = { ...updated, op: "replace", replaceReasons: ["deletedWith"] };
  for (const thread of [updated, replaced]) {
    const { matches, text } = await review(server, digest([deployment, thread]));
    expect([matches, text]).toEqual([{}, expect.stringContaining("it moves with its deployment, and keeps its ID")]);
  }
});

it("A server that rejects the key, or does not exist, makes the number unknown, which fails the review", async () => {
  const server = await start(SMALL);
  const rejected = await review(server, replaced(), "another");
  expect([rejected.lost, rejected.text]).toEqual([
    ["agent"],
    expect.stringContaining("conversations unknown: the server rejected the API key (403)"),
  ]);
  await server.stop();
  const absent = await review(server, replaced());
  expect([absent.lost, absent.text]).toEqual([
    ["agent"],
    expect.stringContaining("conversations unknown: the server did not respond"),
  ]);
});

it("Without --live no server is asked, so it is unknown what would be lost", async () => {
  const server = await start(SMALL);
  const { code, stdout } = await run(server, replaced(), "--fail-on", "conversations-lost", "--json");
  expect([code, JSON.parse(stdout).stacks[0].changes[0].conversations]).toEqual([1, { outcome: "lost" }]);
  expect(server.requests).toEqual([]);
});

it("The numbers of a deployment that the engine refuses to replace are beside its refusal", async () => {
  const refusal =
    `Preview failed: unable to replace resource "${URN}"\nas part of this operation, as it is currently marked ` +
    "for protection.";
  const preview = readPreview(digest([], [["error", refusal]]), "a preview");
  const counts = { threads: 7, minimums: [], unknown: [], isPartial: false };
  const ask = async (id: string) => (id === ID ? { known: counts } : { unknown: "another ID" });
  const { diagnostics } = await withAtStake(reviewOf(preview, NOW), preview, ask, (one) =>
    one === URN ? ID : undefined,
  );
  expect(diagnostics).toEqual([refusal, "agent: without its protection, 7 threads would be lost"]);
});

it("Threads that are deleted with their deployment are counted once, and one deleted alone is lost", async () => {
  const server = await start(SMALL);
  const thread = { op: "delete", kind: "Thread", name: "chat", before: { deploymentId: ID } };
  const whole = { op: "delete", id: ID, before: image("1") };
  expect((await review(server, digest([whole, thread]))).lost).toEqual(["agent"]);
  // It is deleted before the backup of its deployment is made.
  const kept = { ...whole, before: { ...image("1"), keepConversations: { at: "kept" } } };
  for (const stays of [kept, { ...whole, retainOnDelete: true }])
    expect((await review(server, digest([stays, thread]))).lost).toEqual(["chat"]);
  expect((await review(server, digest([kept, { ...thread, deletedWith: URN }]))).lost).toEqual([]);
  const [before, after] = [{ deploymentUrl: "https://a.example" }, { deploymentUrl: UNKNOWN }];
  const { changes } = await review(server, digest([{ ...thread, op: "update", before, after }]));
  expect(changes[0]?.possible).toEqual(["data-loss", "replace", "conversations-lost"]);
  server.requests.length = 0;
  expect((await review(server, digest([thread]))).lost).toEqual(["chat"]);
  expect(server.requests).toEqual([]);
});

it("The numbers of a deployment are in the report of agentgraph doctor", async () => {
  const { url } = await start(SMALL);
  const settings = readSettings(() => undefined, { AGENTGRAPH_URL: url.href, AGENTGRAPH_API_KEY: KEY });
  const groups = await checkConversations("agent", settings);
  expect(groups).toMatchObject([
    {
      title: "Conversations of deployment agent",
      checks: [
        {
          ...{ id: "conversations", status: "ok", counts: { threads: 7, waiting: 2, busy: 1 } },
          message: expect.stringMatching(/^keeps 7 threads .*, 3 stored items, as seen by this key$/),
        },
      ],
    },
  ]);
  expect(readReport(JSON.stringify({ version: 1, toFix: 0, groups })).groups).toEqual(groups);
  expect(await checkConversations("other", settings)).toMatchObject([
    { checks: [{ status: "fix", message: expect.stringContaining("not counted: No deployment") }] },
  ]);
});
