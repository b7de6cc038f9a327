/** The checks of deployments (`verify`) in a review, and `--fail-on unverified`. */
import { formatComment } from "../../../cli/review/comment/comment";
import { findMatches } from "../../../cli/review/summary";
import { UNKNOWN } from "../../../provider/plan/property-values";
import { UNKNOWN_SECRET } from "../../../provider/schema/mapping";
import { type Bag, image, reviewed } from "../support/previews";

const CHECKS = [
  { http: { path: "/ok" } },
  { ask: { assistantId: "agent", expect: { contains: "[secret]" } } },
  { dataset: { path: "questions.jsonl" } },
  { conversations: {} },
  { command: { args: ["./smoke-test.sh"] } },
  { name: "says hello", ask: { assistantId: "agent" } },
];
const TITLES = ["http /ok", "ask agent", "dataset questions.jsonl", "conversations", "command", "says hello"];

const checked = (tag: string, verify: unknown = CHECKS) => ({ ...image(tag), verify });
const changesOf = (...steps: Parameters<typeof reviewed>[0]) => reviewed(steps).changes;
const update = (before: Bag, after: Bag) => ({ op: "update", before, after });
const titlesOf = (verify: unknown) => changesOf({ op: "create", after: checked("1", verify) })[0]?.checks;

it("a deployment that is created, replaced or gets a new revision shows its checks by their titles", () => {
  const steps = [
    { op: "create", after: checked("1") },
    { op: "replace", before: checked("1"), after: { ...checked("1"), name: "other" } },
    update(checked("1"), checked("2")),
  ];
  for (const step of steps) {
    const review = reviewed([step]);
    expect(review.changes).toMatchObject([{ checks: TITLES }]);
    expect(formatComment([review])).toContain(`(${TITLES.map((title) => `\`${title}\``).join(", ")})`);
  }
});

it("a change of the checks alone checks the live revision, and makes no new one", () => {
  const [change] = changesOf(update(checked("1", CHECKS.slice(0, 1)), checked("1", CHECKS.slice(0, 2))));
  expect(change).toMatchObject({ effects: ["update"], checks: ["http /ok", "ask agent"] });
  expect(change?.impacts).toMatchObject([{ effect: "verification", paths: ["verify"] }]);
  expect(change?.summary).toMatch(/^checks the live revision: verify/);
});

it("nothing is checked after a change that makes no revision, a deletion, and without checks", () => {
  const steps = [
    update(checked("1"), { ...checked("1"), forceDelete: true }),
    { op: "delete", before: checked("1") },
    { op: "create", after: image("1") },
    { op: "create", after: checked("1", []) },
    { op: "create", kind: "Thread", after: checked("1") },
  ];
  for (const step of steps) expect(changesOf(step)).toMatchObject([{ checks: [] }]);
});

it("a check shows no more of its title than the preview knows", () => {
  expect(titlesOf("[secret]")).toEqual(["[secret]"]);
  expect(titlesOf(UNKNOWN)).toEqual(["unknown until apply"]);
  expect(
    titlesOf(["[secret]", UNKNOWN, { ask: "[secret]" }, { ask: { assistantId: UNKNOWN } }, { name: UNKNOWN }]),
  ).toEqual(["check 1", "check 2", "check 3", "check 4", "check 5"]);
});

it("a comment shows the first ten of many checks, as code", () => {
  const verify = Array.from({ length: 12 }, (_, index) => ({ name: `<b>@team</b> ${index}`, http: { path: "/ok" } }));
  const comment = formatComment([reviewed([{ op: "create", after: checked("1", verify) }])]);
  expect(comment).toContain("`<b>@team</b> 9` and 2 more)");
});

describe("--fail-on unverified", () => {
  const matchesOf = (steps: Parameters<typeof reviewed>[0], isUncertain = false) =>
    findMatches([reviewed(steps)], ["unverified"], isUncertain);
  const isFound = { unverified: ["agent"] };

  it.each<[string, Parameters<typeof reviewed>[0][number]]>([
    ["is created", { op: "create", after: image("1") }],
    ["is created with an empty list of checks", { op: "create", after: checked("1", []) }],
    ["is replaced", { op: "replace", before: image("1"), after: { ...image("1"), name: "other" } }],
    ["gets another image", update(image("1"), image("2"))],
    ["gets another image and loses its checks", update(checked("1"), image("2"))],
    ["gets another secret", update({ ...image("1"), secrets: { A: "a" } }, { ...image("1"), secrets: { A: "b" } })],
    ["gets another environment variable", update(image("1"), { ...image("1"), environment: { LEVEL: "debug" } })],
    ["is deployed again", update(image("1"), { ...image("1"), redeployTriggers: { day: "1" } })],
  ])("finds a deployment without checks that %s", (_, step) => {
    expect(matchesOf([step])).toEqual(isFound);
  });

  it.each<[string, Parameters<typeof reviewed>[0][number]]>([
    ["is created with checks", { op: "create", after: checked("1") }],
    ["gets another image with checks", update(image("1"), checked("2"))],
    ["has secret checks", update(image("1"), checked("2", "[secret]"))],
    ["only loses its checks", update(checked("1"), image("1"))],
    ["changes without a new revision", update(image("1"), { ...image("1"), forceDelete: true })],
    ["is imported", { op: "create", after: { ...image("1"), __import: "6b0c" } }],
    ["is deleted", { op: "delete", before: image("1") }],
    ["is a thread", { op: "create", kind: "Thread", after: {} }],
  ])("accepts a resource that %s", (_, step) => {
    expect(matchesOf([step])).toEqual({});
  });

  it("finds a revision that is only possible with --include-uncertain", () => {
    const before = { ...image("1"), secrets: { A: UNKNOWN_SECRET } };
    const step = update(before, { ...image("1"), secrets: { A: "[secret]" } });
    expect(matchesOf([step])).toEqual({});
    expect(matchesOf([step], true)).toEqual(isFound);
  });
});
