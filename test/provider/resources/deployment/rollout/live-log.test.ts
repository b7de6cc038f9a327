/** Which lines the setting `streamLogs` shows, and the requests that it sends, with the logs of other servers. */
import { createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { type Platform, startPlatform } from "../../../../support/platform";
import { Stack, startStack } from "../../../../support/stack";
import { ConcurrentClock } from "../../../../support/time/concurrent-clock";
import { type LogProxy, type RemoteLogLine, startLogProxy } from "./log-proxy";

const repeated = (count: number, status: string) => Array.from({ length: count }, () => status);
const numbered = (count: number): RemoteLogLine[] =>
  Array.from({ length: count }, (_, index) => ({ level: "INFO", message: `line ${index + 1}` }));

interface Rollout {
  platform: Platform;
  stack: Stack;
  proxy: LogProxy;
  /** The lines on the row, with the second at which each appeared. */
  lines: { text: string; second: number }[];
}

/** Rolls out an image while its log is served by a function of the seconds since the begin. */
async function rollOut(
  statuses: string[],
  linesAt: (second: number, type: string) => readonly RemoteLogLine[] | undefined,
  { declared = dockerDeployment(), config = {}, fault = {} } = {},
): Promise<Rollout> {
  const platform = await startPlatform({}, { revision: { statuses, ...fault } });
  const begin = platform.clock.now();
  const seconds = () => (platform.clock.now() - begin) / 1000;
  const proxy = await startLogProxy(platform, (type) => linesAt(seconds(), type));
  const stack = new Stack(proxy, { config: { streamLogs: "true", ...config } });
  const lines: Rollout["lines"] = [];
  const add = stack.messages.push.bind(stack.messages);
  stack.messages.push = (row) => {
    const [, text] = /^progress: (?:build|deploy) \| (.*)$/s.exec(row ?? "") ?? [];
    if (text !== undefined) lines.push({ text, second: seconds() });
    return add(row as string);
  };
  await stack.up(declared);
  return { platform, stack, proxy, lines };
}

const LOGS = "/v2/deployments/*/revisions/*/logs";
const rolling = (seconds: number) => ["QUEUED", ...repeated(seconds / 2, "DEPLOYING"), "DEPLOYED"];
const textsOf = ({ lines }: Rollout) => lines.map(({ text }) => text);
/** Returns the warnings about lines that were left out. */
const warnings = ({ stack }: Rollout) => stack.messages.filter((row) => /^warn: streamLogs/.test(row));

// The intervals between polls are random.
beforeEach(() => {
  jest.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  jest.restoreAllMocks();
});

it("a log that grows is shown as it grows, at one request for each poll and one for each further page", async () => {
  const rollout = await rollOut(rolling(30), (second) => numbered(Math.floor(second * 8)));
  const { platform, proxy, lines } = rollout;
  expect(textsOf(rollout)).toEqual(numbered(lines.length).map(({ message }) => message));
  expect(lines.length).toBeGreaterThan(230);
  expect(lines.findIndex(({ second }) => second > 15)).toBeGreaterThan(100);
  expect(new Set(proxy.requests)).toEqual(new Set(["deploy 0", "deploy 100", "deploy 200"]));
  const polls = platform.requests({ path: "/v2/deployments/*/revisions/*" }).length;
  expect(proxy.requests.length).toBeLessThanOrEqual(polls + 2);
  expect(warnings(rollout)).toEqual([]);
});

it("a row shows the last line of a log until a poll finds no new one, and then the status", async () => {
  const { stack } = await rollOut(rolling(20), (second) => numbered(second > 5 ? 1 : 0));
  const rows = stack.messages.slice(stack.messages.indexOf("progress: deploy | line 1"));
  expect(rows[1]).toMatch(/^progress: DEPLOYING, \d+ s$/);
  const before = stack.messages[stack.messages.indexOf("progress: deploy | line 1") - 1];
  expect(before).toMatch(/^progress: DEPLOYING, \d+ s$/);
  expect(rows[1]).not.toBe(before);
});

it("a long log is shown at 20 lines a second, up to 500 lines, and then no longer read", async () => {
  const rollout = await rollOut(rolling(120), () => numbered(5000));
  const { lines, proxy } = rollout;
  expect(textsOf(rollout)).toEqual(numbered(500).map(({ message }) => message));
  let previous = 0;
  for (const [second, shown] of Map.groupBy(lines, ({ second }) => second)) {
    expect(shown.length).toBeLessThanOrEqual(Math.round(20 * (second - previous)));
    previous = second;
  }
  expect(proxy.requests.length).toBeLessThanOrEqual(5);
  expect(warnings(rollout)).toEqual([expect.stringMatching(/^warn: streamLogs: 500 lines of the log were shown/)]);
});

it("the lines for which a rollout was too short are counted", async () => {
  const rollout = await rollOut(rolling(2), (second) => numbered(second < 2 ? 0 : 90));
  expect(rollout.lines.length).toBeGreaterThan(3);
  expect(rollout.lines.length).toBeLessThanOrEqual(20);
  expect(warnings(rollout)).toEqual([
    expect.stringContaining(`the last ${90 - rollout.lines.length} lines of the log were left out`),
  ]);
});

it.each<[string, Partial<RemoteLogLine>]>([
  ["IDs", {}],
  ["no IDs", { id: null }],
  ["empty IDs", { id: "" }],
])("lines with %s are shown once", async (_what, fields) => {
  let count = 0;
  const rollout = await rollOut(rolling(20), (second) => {
    count = Math.floor(second * 8);
    return numbered(count).map((line) => ({ ...line, message: "again", ...fields }));
  });
  expect(count).toBeGreaterThan(150);
  expect(rollout.lines).toHaveLength(count);
});

it("a message of several lines becomes several rows, with its level, and without control characters", async () => {
  const logs = [
    { level: "ERROR", message: "first\n  second\r\nthird" },
    { level: null, message: null },
    { level: "DEBUG", message: `\u001b[31mred\u001b[0m ${"x".repeat(1000)}` },
  ];
  const rollout = await rollOut(rolling(6), () => logs);
  expect(textsOf(rollout).slice(0, 4)).toEqual(["ERROR first", "  second", "third", ""]);
  expect(rollout.lines[4]?.text).toMatch(/^DEBUG red x{300,}…$/);
});

describe("a secret in a log is redacted", () => {
  const secret = "s3cr3t-value-that-is-rather-long";
  const declared = dockerDeployment({ secrets: { A: secret } });

  it("if it begins in a line that is shown and ends in one that comes later", async () => {
    const first = { message: `key=${secret.slice(0, 14)}` };
    const rest = { message: `${secret.slice(14)} and more` };
    const rollout = await rollOut(rolling(20), (second) => (second > 6 ? [first, rest] : second > 3 ? [first] : []), {
      declared,
    });
    expect(textsOf(rollout)).toEqual(["key=[secret]", " and more"]);
  });

  const [red, link, normal] = ["\u001b[31m", "\u001b]8;;https://evil.example\u0007", "\u001b[0m"];
  const base64 = Buffer.from(secret).toString("base64");
  it.each<[string, string[], RegExp]>([
    [
      "in two colored lines, of which the first ends with a link that is never closed",
      [
        `${red}key=${secret.slice(0, 14)}${link}${normal}`,
        `${red}${secret.slice(14)} and more\rand over\u2028it${normal}`,
      ],
      /^key=\[secret\]\n and more and over it$/,
    ],
    ["after 390 characters", [`${"x".repeat(390)}${secret}`], /^x+/],
    ["after 3990 characters", [`${"x".repeat(3990)}${secret}`], /^x+/],
    ["in other encodings", [base64.slice(0, 20), base64.slice(20)], /^\[secret\]\n$/],
  ])("%s", async (_what, messages, expected) => {
    const rollout = await rollOut(rolling(6), () => messages.map((message) => ({ message })), { declared });
    expect(rollout.lines).toHaveLength(messages.length);
    expect(textsOf(rollout).join("\n")).toMatch(expected);
    expect(textsOf(rollout).join()).not.toContain("s3cr3t");
  });
});

describe("a log that cannot be read", () => {
  const endOfDisplay = (status: number) =>
    `warn: streamLogs: the log could not be read (${status}), so no more of its lines are shown. The rollout ` +
    "continues, and the function getRevisionLogs reads the log.";

  it("for lack of a route ends the display with a warning, and the rollout succeeds", async () => {
    const { platform, stack } = await startDeployment({
      server: { without: ["logs", "build-logs-v1", "deploy-logs-v1"] },
      stack: { config: { streamLogs: "true" } },
    });
    await stack.up(dockerDeployment());
    expect(stack.messages.filter((row) => row.startsWith("warn"))).toEqual([endOfDisplay(404)]);
    expect(platform.emulator.requestLog.entries({ path: LOGS })).toHaveLength(1);
  });

  it.each([429, 503])("three times, with %d, ends the display, and no request is repeated", async (status) => {
    const platform = await startPlatform({}, { path: LOGS, status, times: 100 });
    const stack = await startStack(platform, dockerDeployment(), { config: { streamLogs: "true" } });
    expect(stack.messages.filter((row) => row.startsWith("warn"))).toEqual([endOfDisplay(status)]);
    expect(platform.emulator.requestLog.entries({ path: LOGS })).toHaveLength(3);
  });

  it("twice is read again", async () => {
    const platform = await startPlatform({}, { path: LOGS, status: 503, times: 2 });
    const stack = await startStack(platform, dockerDeployment(), { config: { streamLogs: "true" } });
    expect(stack.messages).toContain("progress: deploy | Deployed registry.example.com/agent:1.0.0");
    expect(stack.messages.filter((row) => row.startsWith("warn"))).toEqual([]);
  });

  it("in the newer form is read in the older one", async () => {
    const { stack } = await createDeployment(dockerDeployment(), {
      server: { without: ["logs"] },
      stack: { config: { streamLogs: "true" } },
    });
    expect(stack.messages).toContain("progress: deploy | Deployed registry.example.com/agent:1.0.0");
  });
});

it("the lines of a revision that supersedes the awaited one are shown from its first line", async () => {
  const { platform, stack, id } = await createDeployment(dockerDeployment(), {
    stack: { config: { streamLogs: "true" } },
  });
  const push = (tag: string) =>
    platform.call("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: tag } });
  await platform.addFault({ hold: { status: "DEPLOYING" } });
  await push("other:1");
  await platform.advance(1000);
  platform.duringNextWait(() => platform.advance(1000));
  platform.duringNextWait(() => push("other:2"));
  platform.duringNextWait(() => platform.advance(1000));
  platform.duringNextWait(() => platform.emulator.faults.clear());
  stack.messages = [];
  await stack.up(dockerDeployment(withImage("1.0.1")));
  const lines = stack.messages.filter((row) => row.startsWith("progress: deploy | "));
  expect(lines[0]).toContain("Step 1/5: queued the rollout of agent with other:2");
  expect(lines.at(-1)).toBe("progress: deploy | Deployed other:2");
});

it("in a fleet, only the log of the named resource is read, and no more often than its revision", async () => {
  const platform = await startPlatform();
  const clock = new ConcurrentClock(platform);
  const config = { streamLogs: "agent-3" };
  const process = new Stack({ url: platform.url, clock }, { config });
  const host = process.host();
  const names = Array.from({ length: 6 }, (_, index) => `agent-${index}`);
  await platform.addFault({ revision: { statuses: rolling(20) }, times: names.length });
  await clock.runAll(names.map((name) => () => process.fork({ name }).up(dockerDeployment({ name }), host)));
  const read = platform.emulator.requestLog.entries({ path: LOGS });
  const id = (await platform.deployments()).find(({ name }) => name === "agent-3")?.id;
  expect(read.length).toBeGreaterThan(3);
  expect(new Set(read.map(({ path }) => path.split("/")[3]))).toEqual(new Set([id]));
  const polls = platform.requests({ path: `/v2/deployments/${id}/revisions/*` });
  // And the last lines, once it is live.
  expect(read.length).toBeLessThanOrEqual(polls.length + 1);
  expect(process.messages).toContain("progress: deploy | Deployed registry.example.com/agent:1.0.0");
});
