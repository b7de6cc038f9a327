import fc from "fast-check";
import { docker, start } from "../../support/emulator";
import { expectError } from "../../support/rejections";

describe("a validation error", () => {
  // @covers 2A.ValidationError.msg, 2A.ValidationError.type, 2A.ValidationError.input
  test("for missing fields contains their locations and the object as input", async () => {
    const client = await start({ strict: true });
    const body = { source: "external_docker", source_config: {}, source_revision_config: {} };
    const response = await client.post("/v2/deployments", body);
    expect(response.status).toBe(422);
    expect(response.body).toEqual({
      detail: [
        { type: "missing", loc: ["body", "name"], msg: "Field required", input: body },
        { type: "missing", loc: ["body", "secrets"], msg: "Field required", input: body },
      ],
    });
  });

  test("for a missing body has the location of the body", async () => {
    const response = await (await start({ strict: true })).post("/v2/deployments");
    expect(response.status).toBe(422);
    expect(response.body).toEqual({ detail: [{ type: "missing", loc: ["body"], msg: "Field required", input: null }] });
  });

  // @covers 2A.ValidationError.ctx
  test("for malformed JSON contains the position and Python's message", async () => {
    const response = await (await start({ strict: true })).post("/v2/deployments", '{"name": "a",}');
    expect(response.status).toBe(422);
    const ctx = { error: "Expecting property name enclosed in double quotes" };
    expect(response.body).toEqual({
      detail: [{ type: "json_invalid", loc: ["body", 13], msg: "JSON decode error", input: {}, ctx }],
    });
  });

  test.each([["[]"], ['"text"'], ["5"], ["null"]])("for a body that is %s asks for an object", async (body) => {
    const response = await (await start({ strict: true })).post("/v2/deployments", body);
    const msg = "Input should be a valid dictionary or object to extract fields from";
    expect(response.body).toEqual({
      detail: [{ type: "model_attributes_type", loc: ["body"], msg, input: JSON.parse(body) }],
    });
  });

  test.each([
    ["application/json; charset=utf-8", 201],
    ["application/vnd.api-1.0+json", 201],
    ["Application/JSON", 201],
    ["text/application/json", 422],
    ["application/jsonp", 422],
    ["application/+json", 422],
  ])("for a body depends on the content type %s: %i", async (type, status) => {
    const client = await start({ strict: true });
    const headers = { "x-api-key": "k", "content-type": type };
    const response = await client.send("POST", "/v2/deployments", docker("agent"), headers);
    expect(response.status).toBe(status);
    if (status === 422) expect(response.body.detail).toMatchObject([{ type: "model_attributes_type", loc: ["body"] }]);
  });

  test("for an invalid UUID in the path contains the invalid character", async () => {
    const response = await (await start({ strict: true })).get("/v2/deployments/my-agent");
    const error =
      "invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `m` at 1";
    const found = { type: "uuid_parsing", loc: ["path", "deployment_id"], input: "my-agent", ctx: { error } };
    expect([response.status, response.body]).toEqual([
      ...[422, { detail: [{ ...found, msg: `Input should be a valid UUID, ${error}` }] }],
    ]);
  });

  // @covers 2A.SourceConfig.listener_id, 2A.ValidationError.loc
  test("for wrong types has the location of each", async () => {
    const client = await start({ strict: true });
    const source_config = { listener_id: 5, build_on_push: "maybe", custom_url: 1 };
    const secrets = [{ name: "A" }, "B"];
    const response = await client.post("/v2/deployments", docker("agent", { source_config, secrets }));
    expect(response.body.detail.map(({ type, loc }) => [type, loc.join(".")])).toEqual([
      ["bool_parsing", "body.source_config.build_on_push"],
      ["string_type", "body.source_config.custom_url"],
      ["uuid_type", "body.source_config.listener_id"],
      ["missing", "body.secrets.0.value"],
      ["model_attributes_type", "body.secrets.1"],
    ]);
  });

  // @covers 2A.HTTPValidationError.detail
  test("can be one of several, of the path and of the query", async () => {
    const response = await (await start({ strict: true })).get("/v2/deployments/x/revisions/y/logs?type=other&limit=0");
    expect(response.body.detail.map((error) => error.loc.join("."))).toEqual([
      ...["path.deployment_id", "path.revision_id", "query.type", "query.limit"],
    ]);
  });
});

describe("secret values", () => {
  // @covers 2A.ValidationError.input
  test("are never returned, whatever is invalid around them", async () => {
    const client = await start({ strict: true });
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            name: fc.oneof(fc.constant("agent"), fc.integer()),
            source: fc.constantFrom("external_docker", "none"),
            source_config: fc.oneof(fc.constant({}), fc.constant([])),
            secrets: fc.constantFrom<unknown>(
              ...[[{ name: "A", value: "hunter2" }], [{ name: "A", value: ["hunter2"] }], ["hunter2"]],
              ...[[{ name: 5, value: "hunter2", extra: "hunter2" }], { A: "hunter2" }, "hunter2"],
            ),
          },
          { requiredKeys: ["secrets"] },
        ),
        async (body) => {
          const response = await client.post("/v2/deployments", body);
          expect(response.status).toBe(422);
          expect(JSON.stringify(response.body)).not.toContain("hunter2");
          expect(JSON.stringify(client.emulator.requestLog.entries())).not.toContain("hunter2");
        },
      ),
      { numRuns: 60 },
    );
  });

  test("are redacted in malformed JSON, too", async () => {
    const client = await start({ strict: true });
    const response = await client.post("/v2/deployments", '{"secrets": [{"name": "A", "value": "hunter2"}]');
    expect(response.status).toBe(422);
    expect(JSON.stringify([response.body, client.emulator.requestLog.entries()])).not.toContain("hunter2");
  });
});

describe("a deployment", () => {
  // @covers 2A.Deployment.name:form
  test.each(["Agent", "1agent", "my_agent", "-a", "a b", ""])("rejects the name %j", async (name) => {
    const response = await (await start()).post("/v2/deployments", docker(name));
    expect(response).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "name"] }] } });
  });

  const commands = ["a; b", "a | b", "a & b", "echo $HOME", 'say "x"', "a > b", "a\nb", "`a`"];
  test.each(commands)("rejects the command %j", async (command) => {
    const client = await start();
    const source_config = { install_command: command, build_command: command };
    const response = await client.post("/v2/deployments", docker("agent", { source_config }));
    expect(response.body.detail.map((error) => error.loc.at(-1))).toEqual(["install_command", "build_command"]);
  });
});

describe("a request", () => {
  test("with a body over 1 MiB returns 413, and one of 1 MiB is read", async () => {
    const client = await start();
    const text = (size: number) => `{"pad":"${"x".repeat(size - 10)}"}`;
    expectError(await client.post("/v2/deployments", text(1024 * 1024 + 1)), 413, expect.any(String));
    expect((await client.post("/v2/deployments", text(1024 * 1024))).status).toBe(422);
  });

  test("with another method on a known path returns 405 and the allowed ones", async () => {
    const response = await (await start()).send("PUT", "/v2/deployments");
    expect(response).toMatchObject({ status: 405, body: { detail: "Method Not Allowed" } });
    expect(response.headers.get("allow")).toBe("GET, POST, DELETE");
  });
});
