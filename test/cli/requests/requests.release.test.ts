/** `agentgraph requests` with the log of a run of days. */
import { formatLog } from "../../../cli/requests/text";

test("A log of more attempts than a function has arguments is printed", () => {
  const attempt = {
    ...{ time: "2026-03-01T12:00:00.000Z", urn: "", operation: "getDeployments", method: "GET" },
    ...{ url: "https://agents.example.com/v2", status: 200, attempt: 1, durationMs: 10, waitMs: 0 },
  };
  expect(formatLog({ attempts: new Array(150_000).fill(attempt), steps: [] }).slice(0, 40)).toMatch(
    /^Functions \(attempts: 150000\)\n/,
  );
});
