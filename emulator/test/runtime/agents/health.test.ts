/** Looks at an agent that is starting. */
import { pauseAfter } from "../../../src/runtime/agents/health";

test.each([
  [0, 50],
  [1000, 50],
  [2000, 100],
  [10_000, 500],
  [20_000, 1000],
  [600_000, 1000],
])("an agent that has been starting for %i ms is looked at again after %i ms", (elapsedMs, pauseMs) => {
  expect(pauseAfter(elapsedMs)).toBe(pauseMs);
});
