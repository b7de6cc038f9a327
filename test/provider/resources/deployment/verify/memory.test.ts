/** What state remembers of failed checks, and when content is refused because of it. */
import type { Deployment } from "../../../../../provider/api/control-plane/client";
import type { Change } from "../../../../../provider/resources/deployment/mapping";
import { VerificationError } from "../../../../../provider/resources/deployment/rollout/rollout-error";
import type { Inputs } from "../../../../../provider/resources/deployment/schema/inputs";
import type { State } from "../../../../../provider/resources/deployment/schema/outputs";
import {
  isRefused,
  needsVerification,
  refusalOf,
  rememberFailure,
} from "../../../../../provider/resources/deployment/verify/memory";
import { TestClock } from "../../../../support/clock";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";

const verify = [{ http: { path: "/ok" } }];
const inputs = (change = {}) => dockerDeployment({ verify, ...change }) as unknown as Inputs;
const own = { latestRevisionId: "r2", activeRevisionId: "r1" } as Deployment;

const failure = { summary: "", details: [], log: [], live: "", hint: "", remote: own };

/** Returns the state after failures of these revisions, each of which has some inputs. */
function stateAfter(
  failures: readonly (readonly [revisionId: string, desired?: Inputs])[],
  state: Partial<State> = {},
) {
  return failures.reduce((before, [revisionId, desired = inputs()]) => {
    const error = new VerificationError(failure, revisionId, "no answer");
    return rememberFailure(before, error, { desired, own: { ...own, latestRevisionId: revisionId } }, new TestClock());
  }, state);
}

test.each<[string, Inputs, Partial<State>, string[], string | null, boolean]>([
  ["it is another one", inputs(), { verifiedRevisionId: "r1" }, [], "r2", true],
  ["it has passed them", inputs(), { verifiedRevisionId: "r2" }, [], "r2", false],
  ["they changed", inputs(), { verifiedRevisionId: "r2" }, ["verify"], "r2", true],
  ["what they use changed", inputs(), { verifiedRevisionId: "r2" }, ["verifyDigest"], "r2", true],
  ["there are none", inputs({ verify: [] }), {}, ["verify"], "r2", false],
  ["no revision is live", inputs(), {}, [], null, false],
])(
  "A revision is checked once it is live, unless it has passed the same checks: where %s",
  (_, desired, state, paths, activeRevisionId, isNeeded) => {
    const change = { inputs: desired, state, paths } as unknown as Change;
    expect(needsVerification(change, { ...own, activeRevisionId })).toBe(isNeeded);
  },
);

test.each<[string, Parameters<typeof stateAfter>[0], number, string | undefined]>([
  ["once", [["r2"]], 1, undefined],
  ["twice", [["r2"], ["r3"]], 2, "failed its checks 2 times, last as revision r3"],
  ["twice as one revision", [["r2"], ["r2"]], 1, undefined],
  ["after other content", [["r2", inputs(withImage("2"))], ["r3"]], 1, undefined],
  ["twice, with another display name", [["r2", inputs({ displayName: "A" })], ["r3"]], 2, "failed its checks 2 times"],
])("Content that failed its checks %s is refused after two revisions", (_, failures, count, refusal) => {
  const state = stateAfter(failures);
  expect(state.failedVerification?.count).toBe(count);
  expect(isRefused(state)).toBe(refusal !== undefined);
  if (refusal === undefined) expect(refusalOf(inputs(), state)).toBeUndefined();
  else expect(refusalOf(inputs(), { ...state, activeRevisionId: "r1" })).toContain(refusal);
});

test("Refused content may be live again, or change, or have no checks", () => {
  const state = stateAfter([["r2"], ["r3"]]);
  expect(refusalOf(inputs(), { ...state, activeRevisionId: "r3" })).toBeUndefined();
  expect(refusalOf(inputs(withImage("2")), state)).toBeUndefined();
  expect(refusalOf(inputs({ verify: [] }), state)).toBeUndefined();
});

test("A revision that fails after it had passed is no longer verified, and one of others says nothing", () => {
  expect(stateAfter([["r2"]], { verifiedRevisionId: "r2" }).verifiedRevisionId).toBeUndefined();
  expect(stateAfter([["r2"]], { verifiedRevisionId: "r1" }).verifiedRevisionId).toBe("r1");
  const ofOthers = new VerificationError(failure, "r9", "no answer");
  for (const error of [ofOthers, new Error("other")])
    expect(rememberFailure({}, error, { desired: inputs(), own }, new TestClock())).toEqual({});
});
