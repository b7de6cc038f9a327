/** The impact of a change that platforms make in different ways, or that the move of a deployment causes. */
import type { ChangeOptions } from "../../../provider/plan/plan-change";
import { UNKNOWN } from "../../../provider/plan/property-values";
import { UNKNOWN_SECRET } from "../../../provider/schema/mapping";
import { agent, PROJECT, planned } from "./plans";

describe("What some platforms do otherwise", () => {
  const repository = { ...agent, source: "githost", sourceConfig: { repoUrl: "https://git.example/a" } };
  const moved = { ...repository, sourceConfig: { repoUrl: "https://git.example/b" } };
  const command = { ...repository, sourceConfig: { ...repository.sourceConfig, installCommand: "make" } };
  const image = { ...agent, sourceRevisionConfig: { imageUri: "r.example.com/a:2" } };
  const again = { forcedReplacePaths: [] };
  const NONE = { "deletes-in-a-week": false };

  const on = (feature: string, has = true) => ({ profile: { [feature]: has } });
  it.each<[string, object, object, Partial<ChangeOptions>, string]>([
    ["may keep", repository, moved, {}, "repoUrl; some platforms change it in place and keep them: see the setting"],
    ["loses, with a name,", repository, { ...moved, name: "b" }, {}, "name agent -> b, repoUrl; keepConversations"],
    ["loses", repository, moved, { profile: { "moves-repositories": false, ...NONE } }, "repoUrl; keepConversations"],
    ["keeps", repository, moved, on("moves-repositories"), "takes effect with the next revision: repoUrl"],
    ["may make a revision of", repository, command, {}, "installCommand; some platforms make one at once"],
    ["makes a revision of", repository, command, on("commands-make-revisions"), "new revision: "],
    ["keeps the name of", agent, image, { ...again, ...on("deletes-in-a-week") }, "keeps the name for a week"],
    ["may keep the name of", agent, image, again, "; fails after the deletion if the platform keeps the name: see"],
    ["keeps no name of", agent, image, { ...again, profile: NONE }, "or `pulumi state taint`; keepConversations"],
  ])("A change %s a deployment", (_what, before, after, options, text) => {
    expect(planned("Deployment", { ...before }, { ...after }, options).line).toContain(text);
  });
});

describe("An object whose deployment passes its conversations on", () => {
  const moveFrom = (id: unknown) => (id === PROJECT ? { urn: "urn", from: [PROJECT], to: "new" } : undefined);
  const FOLLOWS = "it moves with its deployment, and keeps its ID";

  const UNCHANGED = "changes nothing on the server: deploymentId";
  const ELSEWHERE = "it moves with its deployment, where it gets another ID; runs that it started continue";

  it.each([
    ["Thread", UNKNOWN, `${UNCHANGED} (if it is that of the new deployment); ${FOLLOWS}`],
    ["Thread", "new", `${UNCHANGED}; ${FOLLOWS}`],
    ["Thread", "another", "REPLACED, its history is lost: deploymentId"],
    ["Cron", UNKNOWN, `REPLACED: deploymentId (its deployment is replaced); ${ELSEWHERE}`],
    ["Cron", "another", "REPLACED: deploymentId; runs that it started continue"],
  ])("moves with it if the program declares the new one: a %s, on %s", (kind, deploymentId, line) => {
    expect(planned(kind, { deploymentId: PROJECT }, { deploymentId }, { moveFrom }).line).toBe(line);
  });
});

describe("An update of a Deployment", () => {
  const checks = { verify: [{ http: { path: "/" } }] };
  const others = { verify: [...checks.verify, { http: { path: "/", expect: { contains: UNKNOWN } } }] };
  const image = { sourceRevisionConfig: { imageUri: "r.example.com/a:2" } };
  const [unsure, secret] = [UNKNOWN_SECRET, "a"].map((A) => ({ secrets: { A } }));
  const displayName = { displayName: "a" };
  const CHECKS = "checks the live revision: verify";
  const NONE = "changes nothing on the server: verify";
  const REVISION = "new revision: imageUri 1 -> 2";
  const MAYBE = "possibly new revision: secrets.A; only if the server holds another value";
  const lineOf = (before: object = {}, after: object = {}, isUnfinished = false) =>
    planned("Deployment", { ...agent, ...before }, { ...agent, ...after }, { isUnfinished }).line;

  it.each([
    ["after its revision", checks, { ...checks, ...image }, `${REVISION}; then 1 check`],
    ["that changed after its revision", checks, { ...others, ...image }, `${REVISION}; then 2 checks, which changed`],
    ["that changed", checks, others, CHECKS],
    ["that are unknown", checks, { verify: UNKNOWN, ...image }, `${REVISION}; ${CHECKS}`],
    ["that are removed", checks, {}, NONE],
    ["that are an empty list by now", checks, { verify: [] }, NONE],
    ["that are removed with a revision", checks, image, `${REVISION}; ${NONE}`],
    ["beside a possible one", { ...checks, ...unsure }, { ...others, ...secret }, `${CHECKS}; ${MAYBE}; then 2 checks`],
  ])("says what becomes of checks %s", (_what, before, after, line) => {
    expect(lineOf(before, after)).toBe(line);
  });

  const RETRY = "possibly new revision; retries the last one if it failed, otherwise keeps waiting for it";
  const live = { latestRevisionId: "r1" };
  const unchecked = { ...live, ...checks };
  const IN_PLACE = "in place: displayName";
  it.each([
    ["continues", {}, displayName, `${IN_PLACE}; ${RETRY}`],
    ["need not check", unchecked, { ...checks, ...image, ...displayName }, `${REVISION}; then 1 check; ${IN_PLACE}`],
    [
      "checks",
      unchecked,
      { ...checks, ...displayName },
      `${IN_PLACE}; checks the live revision; it has not passed them`,
    ],
    ["may have to continue", unsure, secret, `${MAYBE}; ${RETRY}`],
    ["need not repeat the checks of", unchecked, others, CHECKS],
    ["has nothing to continue of", live, displayName, IN_PLACE],
  ])("%s the unfinished one", (_what, before, after, line) => {
    expect(lineOf(before, after, true)).toBe(line);
  });
});

it("A resource that moves from the native provider changes nothing on the server, unless it is unfinished", () => {
  const lineOf = (options: Partial<ChangeOptions>) =>
    planned("Deployment", agent, agent, { isMovedFromNative: true, ...options }).line;
  expect(lineOf({})).toBe("changes nothing on the server; moves from the native provider to dynamic resources");
  expect(lineOf({ isRequestedByProgram: false })).toBe("");
  expect(lineOf({ isUnfinished: true })).toMatch(/^possibly new revision/);
});
