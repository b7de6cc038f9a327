import { bulkExports, TracingClient } from "../../support/bulk-export/exports";
import { type Client, createDeployment, docker, githost, start } from "../../support/emulator";

interface Issue {
  type: string;
  loc: (string | number)[];
  msg: string;
  ctx?: object;
}

const withSpec = (resource_spec: object) => docker("agent", { source_config: { resource_spec } });
const container = (change: object) => withSpec({ sidecars: [{ name: "a", image: "x", ...change }] });

/** Returns the only error of a rejected creation; `input` is the invalid value. */
async function issueOf(client: Client, body: object): Promise<Issue> {
  const response = await client.post("/v2/deployments", body);
  expect(response.status).toBe(422);
  expect(response.body.detail).toHaveLength(1);
  const [{ input: _, ...issue }] = response.body.detail as [Issue & { input: unknown }];
  return issue;
}

// API `2A.ValidationError`, in the words of pydantic.
describe("the error of a value", () => {
  test.each<[string, object, string, string, object?]>([
    ["that is not a string", container({ workingDir: 1 }), "string_type", "Input should be a valid string"],
    ["that is not an integer", withSpec({ min_scale: {} }), "int_type", "Input should be a valid integer"],
    [
      "that is a fraction instead of an integer",
      withSpec({ min_scale: 1.5 }),
      "int_from_float",
      "Input should be a valid integer, got a number with a fractional part",
    ],
    ...["x", "1.5", "1x", "x1", "", "1.", "0x10"].map((min_scale): [string, object, string, string] => [
      `${JSON.stringify(min_scale)} instead of an integer`,
      withSpec({ min_scale }),
      "int_parsing",
      "Input should be a valid integer, unable to parse string as an integer",
    ]),
    ["that is not a number", withSpec({ cpu: [] }), "float_type", "Input should be a valid number"],
    ...["x", " ", "Infinity"].map((cpu): [string, object, string, string] => [
      `${JSON.stringify(cpu)} instead of a number`,
      withSpec({ cpu }),
      "float_parsing",
      "Input should be a valid number, unable to parse string as a number",
    ]),
    ["above a maximum", withSpec({ cpu: 9 }), "less_than_equal", "Input should be less than or equal to 8", { le: 8 }],
    [
      "below a minimum",
      withSpec({ cpu: 0 }),
      "greater_than_equal",
      "Input should be greater than or equal to 0.1",
      { ge: 0.1 },
    ],
    [
      "that is not a multiple",
      withSpec({ memory_mb: 100 }),
      "multiple_of",
      "Input should be a multiple of 128",
      { multiple_of: 128 },
    ],
    ["that is not a dictionary", withSpec({ labels: [] }), "dict_type", "Input should be a valid dictionary"],
    [
      "that is not a free-form object",
      container({ securityContext: "x" }),
      "dict_type",
      "Input should be a valid dictionary",
    ],
    [
      "that is not an object with fields",
      withSpec({ volumes: ["x"] }),
      "model_attributes_type",
      "Input should be a valid dictionary or object to extract fields from",
    ],
    ["that is not a list", withSpec({ volumes: {} }), "list_type", "Input should be a valid list"],
    [
      "that is too short",
      withSpec({ volumes: [{ name: "" }] }),
      "string_too_short",
      "String should have at least 1 character",
      { min_length: 1 },
    ],
    [
      "that is too long",
      withSpec({ volumes: [{ name: "a".repeat(64) }] }),
      "string_too_long",
      "String should have at most 63 characters",
      { max_length: 63 },
    ],
    [
      "that does not match a pattern",
      container({ env: [{ name: "1" }] }),
      "string_pattern_mismatch",
      "String should match pattern '^[A-Za-z_][A-Za-z0-9_]*$'",
      { pattern: "^[A-Za-z_][A-Za-z0-9_]*$" },
    ],
    [
      "that is not one of two values",
      container({ restartPolicy: "Never" }),
      "enum",
      "Input should be 'Always' or 'OnFailure'",
      { expected: "'Always' or 'OnFailure'" },
    ],
    [
      "that is not one of three values",
      container({ imagePullPolicy: 1 }),
      "enum",
      "Input should be 'Always', 'Never' or 'IfNotPresent'",
      { expected: "'Always', 'Never' or 'IfNotPresent'" },
    ],
    ["that is not a boolean", githost("agent", { build_on_push: [] }), "bool_type", "Input should be a valid boolean"],
    ...["maybe", 2].map((build_on_push): [string, object, string, string] => [
      `${JSON.stringify(build_on_push)} instead of a boolean`,
      githost("agent", { build_on_push }),
      "bool_parsing",
      "Input should be a valid boolean, unable to interpret input",
    ]),
    [
      "that is not a UUID",
      githost("agent", { integration_id: 5 }),
      "uuid_type",
      "UUID input should be a string, bytes or UUID object",
    ],
    ["of an unknown field", docker("agent", { extra: 1 }), "extra_forbidden", "Extra inputs are not permitted"],
  ])("%s names its type and what is expected", async (_, body, type, msg, ...[ctx]) => {
    const { loc: __, ...issue } = await issueOf(await start({ strict: true }), body);
    expect(issue).toEqual({ type, msg, ...(ctx && { ctx }) });
  });

  test("in a list that is too long names both lengths", async () => {
    const client = await start({ strict: true });
    const query = Array(101).fill("deployment_ids=00000000-0000-4000-8000-000000000000").join("&");
    const { body } = await client.remove(`/v2/deployments?${query}`);
    expect(body.detail).toMatchObject([
      {
        type: "too_long",
        msg: "List should have at most 100 items after validation, not 101",
        ctx: { field_type: "List", max_length: 100, actual_length: 101 },
      },
    ]);
  });

  test("in a list of the maximum length is none", async () => {
    const client = await start({ strict: true });
    const query = Array(100).fill("deployment_ids=00000000-0000-4000-8000-000000000000").join("&");
    expect((await client.remove(`/v2/deployments?${query}`)).status).not.toBe(422);
  });

  test("of a string counts characters, not UTF-16 units", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    const credentials = { access_key_id: "a", secret_access_key: "s" };
    const body = { destination_type: "gcs", display_name: "x", config: { bucket_name: "😀😀" }, credentials };
    const response = await tracing.post(`${bulkExports}/destinations`, body);
    expect(response.body.detail.map(({ msg }) => msg)).toEqual([
      "Input should be 's3'",
      "String should have at least 3 characters",
    ]);
  });

  test.each([
    [5, "datetime_type", "Input should be a valid datetime"],
    ["2026", "datetime_from_date_parsing", "Input should be a valid datetime or date, input is too short"],
    [
      "tomorrow at 5",
      "datetime_from_date_parsing",
      "Input should be a valid datetime or date, invalid character in year",
    ],
    ["2026-13-01", "datetime_from_date_parsing", "Input should be a valid datetime or date, invalid character in year"],
    [
      "x 2026-01-01",
      "datetime_from_date_parsing",
      "Input should be a valid datetime or date, invalid character in year",
    ],
  ])("%j instead of a time names the cause", async (start_time, type, msg) => {
    const tracing = new TracingClient(await start({ strict: true }));
    const { body } = await tracing.post(bulkExports, await tracing.threeDayExport({ start_time }));
    const [, error] = msg.split(", ");
    expect(body.detail).toEqual([
      { type, loc: ["body", "start_time"], msg, input: start_time, ...(error && { ctx: { error } }) },
    ]);
  });

  test("in a map or a list has the location of its element", async () => {
    const client = await start({ strict: true });
    const spec = ["body", "source_config", "resource_spec"];
    expect((await issueOf(client, withSpec({ labels: { a: "x", b: 1 } }))).loc).toEqual([...spec, "labels", "b"]);
    const sidecars = [{ name: "a", image: "x", args: ["b", 1] }];
    expect((await issueOf(client, withSpec({ sidecars }))).loc).toEqual([...spec, "sidecars", 0, "args", 1]);
  });
});

describe("a value is accepted in another form", () => {
  test.each([
    [{ min_scale: true }, { min_scale: 1 }],
    [{ min_scale: "2" }, { min_scale: 2 }],
    [{ min_scale: " +3.00 " }, { min_scale: 3 }],
    [{ min_scale: "-12" }, { min_scale: -12 }],
    [{ min_scale: 4.0 }, { min_scale: 4 }],
    [{ cpu: "0.5" }, { cpu: 0.5 }],
    [{ cpu: true }, { cpu: 1 }],
    [{ memory_mb: 384 }, { memory_mb: 384 }],
    [{ volumes: [{ name: "a".repeat(63) }] }, { volumes: [{ name: "a".repeat(63) }] }],
  ])("%j", async (resource_spec, expected) => {
    const client = await start();
    const { source_config } = await createDeployment(client, withSpec(resource_spec));
    expect(source_config.resource_spec).toMatchObject(expected);
  });

  test.each([
    ...[true, 1, "1", "true", "YES", "on", "t", "y"].map((value) => [value, true]),
    ...[false, 0, "0", "false", "no", "Off", "f", "n"].map((value) => [value, false]),
  ])("%j as the boolean %j", async (build_on_push, expected) => {
    const client = await start();
    const { source_config } = await createDeployment(client, githost("agent", { build_on_push }));
    expect(source_config.build_on_push).toBe(expected);
  });

  test.each([
    ["2026-01-01", "2026-01-01T00:00:00"],
    ["2026-01-01 01:02:03", "2026-01-01T01:02:03"],
    ["2026-01-01T01:02:03.5", "2026-01-01T01:02:03.500000"],
    ["2026-01-01T01:02:03.123456Z", "2026-01-01T01:02:03.123456"],
    ["2026-01-01T01:02:03+01:00", "2026-01-01T00:02:03"],
  ])("%j as the time %s", async (start_time, expected) => {
    const tracing = new TracingClient(await start({ strict: true }));
    expect((await tracing.create(await tracing.threeDayExport({ start_time }))).start_time).toBe(`${expected}+00:00`);
  });
});

test("unknown fields are noted with their path, unless the server is strict", async () => {
  const client = await start();
  await createDeployment(client, { ...withSpec({ volumes: [{ name: "a", more: 1 }] }), extra: 1 });
  const [entry] = client.emulator.requestLog.entries({ method: "POST" });
  expect(entry?.notes).toEqual([
    "body.source_config.resource_spec.volumes.0.more is unknown and ignored",
    "body.extra is unknown and ignored",
  ]);
});
