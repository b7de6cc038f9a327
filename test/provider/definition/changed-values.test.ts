/** How a preview writes an old and a new value. */
import { quoteValue, shortenChange } from "../../../provider/definition/changed-values";

const REPOSITORY = "registry.example.com:5000/team/agent";

describe("Changed value:", () => {
  it.each([
    [`${REPOSITORY}:1.0.0`, `${REPOSITORY}:1.1.0`, "1.0.0 -> 1.1.0"],
    [
      `${REPOSITORY}@sha256:${"a1".repeat(32)}`,
      `${REPOSITORY}@sha256:${"b2".repeat(32)}`,
      "a1a1a1a1a1a1a1a1… -> b2b2b2b2b2b2b2b2…",
    ],
    [`${REPOSITORY}`, `${REPOSITORY}:2`, "agent -> agent:2"],
    ["one.example.com/agent:1", "two.example.com/agent:1", "one.example.com/agent:1 -> two.example.com/agent:1"],
    ["main", "refs/tags/v1", "main -> refs/tags/v1"],
    ["agent", "my agent; in place: x", 'agent -> "my agent; in place: x"'],
    ["1", "10", "1 -> 10"],
  ])("%s and %s are shown without their common prefix", (before, after, displayed) => {
    const short = shortenChange({ path: "p", before, after });
    expect(`${quoteValue(short.before)} -> ${quoteValue(short.after)}`).toBe(displayed);
  });
});
