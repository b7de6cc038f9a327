import { UsageError } from "../../../src/index";
import { parseVocabulary } from "../../../src/runtime/options";
import * as v from "../../../src/runtime/validation/schema";
import { Vocabulary } from "../../../src/runtime/validation/vocabulary";
import { createDeployment, docker, githost, start } from "../../support/emulator";

describe("--vocabulary", () => {
  const vocabulary = { githost: "github", agentgraph: "langgraph" };
  const body = {
    ...githost("agent"),
    source: "github",
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
  };

  // @covers 0:vocabulary
  test("translates fields, values, paths and errors", async () => {
    const client = await start({ strict: true, vocabulary });
    const created = await createDeployment(client, body);
    expect(created).toMatchObject({
      source: "github",
      source_revision_config: { langgraph_config_path: "langgraph.json" },
    });
    expect(created.source_revision_config).not.toHaveProperty("agentgraph_config_path");
    expect((await client.get("/v1/integrations/github/install")).status).toBe(200);
    expect((await client.get("/v1/integrations/githost/install")).status).toBe(404);
    const source_revision_config = { langgraph_config_path: 5 };
    const wrong = await client.post("/v2/deployments", { ...body, source_revision_config });
    expect(wrong.body.detail[0]?.loc).toEqual(["body", "source_revision_config", "langgraph_config_path"]);
    const other = await client.post("/v2/deployments", { ...body, source: "githost" });
    expect(other.body.detail[0]?.msg).toContain("'github', 'external_docker'");
    const missing = await client.post("/v2/deployments", { ...body, source_revision_config: {} });
    expect(missing.body.detail[0]?.msg).toContain("langgraph_config_path is required for source 'github'");
  });

  test("never translates user data", async () => {
    const client = await start({ strict: true, vocabulary });
    const secrets = [{ name: "githost", value: "agentgraph_config_path" }];
    const labels = { githost: "githost", agentgraph_config_path: "githost" };
    const { id } = await createDeployment(
      client,
      docker("githost", { secrets, source_config: { resource_spec: { labels } } }),
    );
    const deployment = (await client.get(`/v2/deployments/${id}`)).body;
    expect(deployment).toMatchObject({ name: "githost", secrets, source_config: { resource_spec: { labels } } });
  });

  test("is rejected with an unknown key or an invalid value", () => {
    expect(() => parseVocabulary('{"githst":"github"}')).toThrow('Unknown key "githst"');
    expect(() => parseVocabulary('{"githost":5}')).toThrow(UsageError);
    expect(() => parseVocabulary("github")).toThrow("expected JSON");
  });

  const source = v.enumOf(["githost", "other"]);
  const one = v.object("One", { source, agentgraph_path: v.string(), other: v.string() });
  test.each<[string, Parameters<Vocabulary["toWire"]>[0], unknown, unknown]>([
    ["a value of an enum", source, "githost", "github"],
    ["null", source, null, null],
    ["a missing value", source, undefined, undefined],
    ["the elements of a list", v.list(source), ["githost", "other"], ["github", "other"]],
    ["a value that is not a list", v.list(source), "githost", "githost"],
    ["a text", v.string(), "githost", "githost"],
    ["a list of texts", v.any(), ["githost"], ["githost"]],
    [
      "the fields of an object",
      one,
      { source: "githost", agentgraph_path: "a" },
      { source: "github", langgraph_path: "a" },
    ],
    ["an object in a list", v.list(one), [{ source: "githost" }], [{ source: "github" }]],
    ["an unknown field of an object", one, { agentgraph_more: "githost" }, { agentgraph_more: "githost" }],
    ["a value that is not an object", one, "githost", "githost"],
  ])("translates %s in a response", (_, schema, value, expected) => {
    expect(new Vocabulary(vocabulary).toWire(schema, value)).toEqual(expected);
  });

  test("translates the names in a location, and no index", () => {
    const path = ["body", "agentgraph_path", 0, "githost"];
    expect(new Vocabulary(vocabulary).location(path)).toEqual(["body", "langgraph_path", 0, "githost"]);
  });
});
