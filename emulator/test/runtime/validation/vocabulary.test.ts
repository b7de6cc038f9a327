import { UsageError } from "../../../src/index";
import { parseVocabulary } from "../../../src/runtime/options";
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
});
