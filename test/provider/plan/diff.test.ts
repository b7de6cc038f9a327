import { diffInputs, fixedPaths, inputsOf, unsentPaths, unverifiedPaths } from "../../../provider/plan/diff";
import { UNKNOWN } from "../../../provider/plan/property-values";
import { UNKNOWN_SECRET } from "../../../provider/schema/mapping";
import type { PropertyMap } from "../../../provider/schema/schema";
import { dockerDeployment } from "../../support/deployments/inputs";
import { definitionOf } from "./plans";

const deployment = definitionOf("Deployment");
const none = { paths: [], replaces: [], possibleReplaces: [] };

describe("The difference of a deployment", () => {
  const before = dockerDeployment({ secrets: { A: "1" } });
  const githost = { source: "githost", name: "agent", sourceConfig: { repoUrl: "https://git.example/a" } };

  it.each<[string, PropertyMap, PropertyMap, object]>([
    ["nothing", before, before, {}],
    ["a name", before, { ...before, name: "other" }, { paths: ["name"], replaces: ["name"] }],
    ["an unknown name", before, { ...before, name: UNKNOWN }, { paths: ["name"], possibleReplaces: ["name"] }],
    ["unknown secrets", before, { ...before, secrets: UNKNOWN }, { paths: ["secrets"] }],
    ["an unknown source", before, { ...before, source: UNKNOWN }, { paths: ["source"], possibleReplaces: ["source"] }],
    [
      "a repository beside an unknown command",
      githost,
      { ...githost, sourceConfig: { repoUrl: "https://git.example/b", installCommand: UNKNOWN } },
      { paths: ["sourceConfig.repoUrl", "sourceConfig.installCommand"], replaces: ["sourceConfig.repoUrl"] },
    ],
  ])("in %s", (_what, left, right, difference) => {
    expect(diffInputs(deployment, left, right)).toEqual({ ...none, ...difference });
  });

  it("cannot be computed for a source that this version does not know", () => {
    expect(diffInputs(deployment, { source: "quantum" }, { source: "quantum", name: "a" })).toEqual(none);
  });
});

test("The option ignoreChanges hides what it names and all below it, and nothing that contains it", () => {
  const check = (path: string) => ({ http: { path } });
  const before = dockerDeployment({ secrets: { A: "1", B: "1" }, verify: [check("/a"), check("/b")] });
  const after = dockerDeployment({ secrets: { A: "2", B: "2" }, verify: [check("/a"), check("/c")] });
  const pathsWith = (ignored: string[], now: PropertyMap = after) =>
    diffInputs(deployment, before, now, { ignored }).paths;
  expect(pathsWith(["secrets.A", "verify[0]"])).toEqual(["secrets.B", "verify"]);
  expect(pathsWith(['secrets["A"]', "verify[*]"])).toEqual(["secrets.B"]);
  expect(pathsWith(["*"])).toEqual([]);
  const adding = (name: string) => ({ ...after, secrets: { A: "1", B: "1", [name]: "1" } });
  expect(pathsWith(["secrets.A", "verify", ""], adding("A.B"))).toEqual(["secrets.A.B"]);
  expect(pathsWith(['secrets["A\\"]\n.\\\\""]', "verify"], adding('A"]\n.\\"'))).toEqual([]);
  expect(pathsWith(["secrets.A", "verify"], { ...after, secrets: UNKNOWN })).toEqual(["secrets"]);
  const [folder, changed] = ["a", "b"].map((sourceDigest) => ({ source: "internal_source", sourceDigest }));
  expect(diffInputs(deployment, { ...folder }, { ...changed }, { ignored: ["*"] }).paths).toEqual(["sourceDigest"]);
});

test("A path is unverified while one side has a placeholder for a secret that the server does not return", () => {
  const before = dockerDeployment({ secrets: { A: UNKNOWN_SECRET, B: "1", C: "1" } });
  const after = dockerDeployment({ secrets: { A: "2", B: "2", C: "1" } });
  const paths = ["secrets.A", "secrets.B"];
  expect(unverifiedPaths(deployment, paths, before, after)).toEqual(["secrets.A"]);
  expect(unverifiedPaths(deployment, paths, after, before)).toEqual(["secrets.A"]);
});

test.each<[string, PropertyMap, string[]]>([
  ["that is removed", {}, []],
  ["that becomes a variable", { environment: { A: "1" } }, ["environment.A", "secrets.A"]],
])("A placeholder for a secret %s is unverified only where the name stays", (_what, now, expected) => {
  const [before, after] = [dockerDeployment({ secrets: { A: UNKNOWN_SECRET } }), dockerDeployment(now)];
  const { paths } = diffInputs(deployment, before, after);
  expect(unverifiedPaths(deployment, paths, before, after).toSorted()).toEqual(expected);
});

test("A field that we do not type is not sent once it is no longer declared, also with a dot in its key", () => {
  const [before, after] = [dockerDeployment({ extra: { "a.b": 1 } }), dockerDeployment({ extra: { "a.b": 2 } })];
  expect(unsentPaths(deployment, ["extra.a.b"], [before, after])).toEqual([]);
  expect(unsentPaths(deployment, ["extra.a.b"], [before, dockerDeployment()])).toEqual(["extra.a.b"]);
});

test("Where a server cannot update deployments, no update changes what is sent to it", () => {
  const profile = { "deployments-patch": false };
  expect(fixedPaths(deployment, ["displayName", "waitFor", "name"], profile)).toEqual(["displayName", "name"]);
  expect(fixedPaths(deployment, ["displayName", "name"], {})).toEqual(["name"]);
});

test("The inputs in state are the properties that the source has, without outputs", () => {
  const inputs = dockerDeployment();
  expect(inputsOf(deployment, { ...inputs, url: "https://agent.example", status: "READY" })).toStrictEqual(inputs);
  expect(inputsOf(deployment, { source: "quantum", name: "a" })).toEqual({});
});
