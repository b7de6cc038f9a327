/** Which settings are invalid, and what the error says. */
import { enough, problemOf, read } from "./support/settings";

describe("An invalid setting", () => {
  it("is reported with its source in one message with others, and never shows a key", () => {
    const message = problemOf(() =>
      read(
        { ...enough, resumeWithin: "an hour", vocabulary: '{"git":"x"}', requestTimeout: "90" },
        { AGENTGRAPH_MAX_CONCURRENT_REQUESTS: "0" },
      ),
    );
    for (const words of [
      ...["resumeWithin", "vocabulary", "requestTimeout", '"90s"', "stack configuration agentgraph:resumeWithin"],
    ]) {
      expect(message).toContain(words);
    }
    expect(message).toMatch(/maxConcurrentRequests: .*environment variable AGENTGRAPH_MAX_CONCURRENT_REQUESTS/);
    expect(message).not.toContain("k-secret");
  });

  it.each([
    ["ownerMarker", "yes", 'ownerMarker: must be true or false, not "yes".'],
    ["requestsPerSecond", "ten", 'requestsPerSecond: must be a number, not "ten".'],
    ["vocabulary", "github", 'vocabulary: must be JSON such as {"githost": "github"}, not "github".'],
    ["agentOrigins", "https://a", 'agentOrigins: must be JSON such as ["https://agents.example.com"], not "https://a"'],
    ["agentOrigins", "ada:hush@a.example", "not a text that may contain credentials."],
    [
      "agentOrigins",
      '["ada:hush@a.example"]',
      "agentOrigins.0: must be a URL such as https://host/path, not a text that",
    ],
    ["url", "ada:hush@control.example", "url: must be a URL such as https://host/path, not a text that may contain"],
    [
      "controlPlaneUrl",
      "control.example/?token=hush",
      "controlPlaneUrl: must be a URL such as https://host/path, not a",
    ],
    ["streamLogs", "7", 'streamLogs: must be JSON such as true or ["support-agent"], not 7.'],
    ["streamLogs", '["a", ""]', "streamLogs.1: must not be empty."],
    ["agentHeaders", "X-Team: hush", 'agentHeaders: must be JSON such as {"X-Team": "payments"}. ('],
    ["controlPlaneUrl", "https://ada:pw@control.example", "controlPlaneUrl: must be a base URL, without a user name"],
    ["tracingApiUrl", "https://control.example?x=1", "tracingApiUrl: must be a base URL, without a user name"],
  ])("%s is reported with the expected value", (key, value, says) => {
    const message = problemOf(() => read({ ...enough, [key]: value }));
    expect(message).toContain(says);
    expect(message).toContain(`(from stack configuration agentgraph:${key})`);
    expect(message).not.toContain("hush");
  });

  it.each(["ten", "-1", "0", "true"])("is %p requests per second", (value) => {
    expect(problemOf(() => read({ ...enough, requestsPerSecond: value }))).toContain("requestsPerSecond");
  });

  it.each(["http://control.example", "ftp://127.0.0.1", "http://127.0.0.1.example", "http://localhost.example"])(
    "is the address %s, over which a key would be readable",
    (controlPlaneUrl) => {
      expect(problemOf(() => read({ ...enough, controlPlaneUrl }))).toContain("Use https");
      expect(problemOf(() => read({ ...enough, tracingApiUrl: controlPlaneUrl }))).toContain("tracingApiUrl is ");
    },
  );
});
