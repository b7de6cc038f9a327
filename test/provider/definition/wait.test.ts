/** Waiting: the intervals between polls, the status lines, and the timeout. No test waits for real time. */
import { createWait, type PollResult, WaitTimeoutError } from "../../../provider/definition/wait";
import { HttpError } from "../../../provider/http/errors";
import { formatDuration } from "../../../provider/text/format";
import { failureOf } from "../../support/errors";
import { TestClock } from "../../support/time/clock";

interface Recording {
  clock: TestClock;
  polls: number[];
  lines: string[];
}

/** Waits with these poll results; the last one repeats. With a `random` of 1, the intervals are at their longest. */
function wait<T>(results: (PollResult<T> | Error)[], minutes = 30, random = 1) {
  const clock = new TestClock();
  const recording: Recording = { clock, polls: [], lines: [] };
  const poll = async () => {
    recording.polls.push(clock.elapsedMs);
    const pollResult = results[Math.min(recording.polls.length, results.length) - 1];
    if (pollResult instanceof Error || pollResult === undefined) throw pollResult;
    return pollResult;
  };
  const progress = (text: string) => void recording.lines.push(text);
  const until = createWait({ clock, deadline: clock.now() + minutes * 60_000, progress, random: () => random });
  return { recording, result: until({ kind: "test", what: "the thing", poll }) };
}

const busy: PollResult<string> = { pending: "BUSY" };

it("A wait polls at once, and does not sleep when the condition is already met", async () => {
  const { recording, result } = wait([{ done: "yes" }]);
  expect(await result).toBe("yes");
  expect([recording.polls, recording.lines]).toEqual([[0], []]);
});

it("A wait polls after a tenth of the elapsed time, but at least half a second and at most ten", async () => {
  const { recording, result } = wait([busy], 5);
  await expect(result).rejects.toThrow("Gave up after 5 min 0 s waiting");
  const gaps = recording.polls.slice(1).map((at, index) => at - (recording.polls[index] ?? 0));
  expect(recording.polls.slice(0, 4)).toEqual([0, 500, 1000, 1500]);
  for (const [index, gap] of gaps.slice(0, -1).entries()) {
    const waited = recording.polls[index] ?? 0;
    expect(gap).toBeCloseTo(Math.min(Math.max(waited / 10, 500), 10_000), 2);
  }
  expect(Math.max(...gaps)).toBe(10_000);
});

it("A wait polls up to a fifth earlier at random, so that many waits do not poll in step", async () => {
  const { recording, result } = wait([busy, busy, { done: 1 }], 5, 0);
  await result;
  expect(recording.polls).toEqual([0, 400, 800]);
});

it("Waits that share their polls poll at the same times, less often the longer they wait", async () => {
  const { recording, result } = wait([{ pending: "BUSY", isShared: true }], 5);
  recording.clock.advance(120);
  await expect(result).rejects.toThrow("Gave up");
  const times = recording.polls.slice(1, -1);
  expect(times.slice(0, 3)).toEqual([500, 1000, 1500]);
  for (const [index, at] of times.slice(1).entries()) {
    const gap = at - (times[index] ?? 0);
    expect(at % gap).toBe(0);
    expect(gap).toBeLessThanOrEqual(Math.max(500, at / 10, 8000));
  }
  expect(times.at(-1)).toBe(296_000);
});

it("A wait polls when the last poll asked for it, and no later than the deadline", async () => {
  const { recording, result } = wait([{ pending: "FULL", retryAfterMs: 40_000 }], 2);
  await expect(result).rejects.toThrow("Gave up after 2 min 0 s waiting");
  expect(recording.polls).toEqual([0, 40_000, 80_000, 120_000]);
});

it("A wait polls once more at the deadline, and gives up with the last status and the elapsed time", async () => {
  const { recording, result } = wait([busy], 2);
  const error = await failureOf(result);
  expect(error).toBeInstanceOf(WaitTimeoutError);
  expect(error.message).toMatch(/2 min 0 s.*the thing.*BUSY/);
  expect(recording.polls.at(-1)).toBe(120_000);
});

it("A wait whose deadline has already passed still polls once", async () => {
  const { recording, result } = wait([{ done: "yes" }], 0);
  expect(await result).toBe("yes");
  expect(recording.polls).toEqual([0]);
});

it("A wait shows the status and the elapsed time, no line twice, and after a minute how to stop waiting", async () => {
  const { recording, result } = wait([busy], 2);
  await expect(result).rejects.toThrow("Gave up after 2 min 0 s waiting");
  expect(recording.lines[0]).toBe("BUSY, 0 s");
  expect(new Set(recording.lines).size).toBe(recording.lines.length);
  for (const line of recording.lines) {
    const time = Number(/, (\d+) s/.exec(line)?.[1]);
    if (time !== 60) expect(line.includes("Ctrl-C twice")).toBe(time > 60);
  }
});

it("A wait survives a failing server, and shows that", async () => {
  const failure = [503, 429, undefined].map(
    (status) =>
      new HttpError({ origin: "https://one", method: "GET", path: "/x", detail: "", ...(status && { status }) }),
  );
  const { recording, result } = wait([busy, ...failure, { done: "yes" }]);
  expect(await result).toBe("yes");
  expect(recording.lines.map((line) => line.split(",")[0])).toEqual([
    ...["BUSY", "no response from https://one (503)", "no response from https://one (429)"],
    "no response from https://one (network)",
  ]);
});

describe("An unusable response", () => {
  const page = new HttpError({ method: "GET", path: "/x", status: 200, detail: "the response is not JSON" });

  it("does not end a wait, since a proxy may have sent it", async () => {
    const { recording, result } = wait([page, page, busy, page, page, page, page, page, { done: "yes" }]);
    expect(await result).toBe("yes");
    expect(recording.lines[0]).toBe("unexpected response (200), 0 s");
  });

  it("ends a wait when it repeats", async () => {
    const { recording, result } = wait([busy, page, page, page, page, page, page]);
    expect(await failureOf(result)).toBe(page);
    expect(recording.polls).toHaveLength(7);
  });
});

it.each([
  ["a response that will not change", new HttpError({ method: "GET", path: "/x", status: 403, detail: "no" })],
  ["a poll result that is an error", new Error("it failed")],
])("A wait ends with %s", async (_what, error) => {
  const { recording, result } = wait([busy, error]);
  expect(await failureOf(result)).toBe(error);
  expect(recording.polls).toHaveLength(2);
});

it.each([
  [0, "0 s"],
  [1499, "1 s"],
  [119_000, "119 s"],
  [120_000, "2 min 0 s"],
  [754_000, "12 min 34 s"],
])("%p milliseconds are formatted as %p", (time, text) => {
  expect(formatDuration(time)).toBe(text);
});
