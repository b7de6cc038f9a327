import { bulkExports, TracingClient } from "../../support/bulk-export/exports";
import { type Client, createDeployment, docker, githost, start, startDeployment } from "../../support/emulator";

interface Issue {
  type: string;
  loc: (string | number)[];
  msg: string;
  ctx?: object;
}

const image = (source_config: object) => docker("agent", { source_config });
const withSpec = (resource_spec: object) => image({ resource_spec });
const container = (change: object) => withSpec({ sidecars: [{ name: "a", image: "x", ...change }] });

const withVolume = (name: string) => withSpec({ volumes: [{ name }] });
const enumError = (body: object, expected: string): [string, string, object, object] => [
  "enum",
  expected,
  body,
  { expected },
];

/** Returns the only error of a rejected creation; `input` is the invalid value. */
async function issueOf(client: Client, body: object): Promise<Issue> {
  const response = await client.post("/v2/deployments", body);
  expect(response.status).toBe(422);
  expect(response.body.detail).toHaveLength(1);
  const [{ input: _, ...issue }] = response.body.detail as [Issue & { input: unknown }];
  return issue;
}

const NAME = "^[A-Za-z_][A-Za-z0-9_]*$";

// API `2A.ValidationError`, in the words of pydantic.
describe("the error of a value", () => {
  test.each<[type: string, expected: string, body: object, ctx?: object]>([
    ["string_type", "a valid string", container({ workingDir: 1 })],
    ["int_type", "a valid integer", withSpec({ min_scale: {} })],
    ["int_from_float", "a valid integer, got a number with a fractional part", withSpec({ min_scale: 1.5 })],
    ...["x", "1.5", "1x", "x1", "", "1.", "0x10"].map((min_scale): [string, string, object] => [
      "int_parsing",
      "a valid integer, unable to parse string as an integer",
      withSpec({ min_scale }),
    ]),
    ["float_type", "a valid number", withSpec({ cpu: [] })],
    ...["x", " ", "Infinity"].map((cpu): [string, string, object] => [
      "float_parsing",
      "a valid number, unable to parse string as a number",
      withSpec({ cpu }),
    ]),
    ["less_than_equal", "less than or equal to 8", withSpec({ cpu: 9 }), { le: 8 }],
    ["greater_than_equal", "greater than or equal to 0.1", withSpec({ cpu: 0 }), { ge: 0.1 }],
    ["multiple_of", "a multiple of 128", withSpec({ memory_mb: 100 }), { multiple_of: 128 }],
    ["dict_type", "a valid dictionary", withSpec({ labels: [] })],
    ["dict_type", "a valid dictionary", container({ securityContext: "x" })],
    ["model_attributes_type", "a valid dictionary or object to extract fields from", withSpec({ volumes: ["x"] })],
    ["list_type", "a valid list", withSpec({ volumes: {} })],
    enumError(container({ restartPolicy: "Never" }), "'Always' or 'OnFailure'"),
    enumError(container({ imagePullPolicy: 1 }), "'Always', 'Never' or 'IfNotPresent'"),
    ["bool_type", "a valid boolean", githost("agent", { build_on_push: [] })],
    ...["maybe", 2].map((build_on_push): [string, string, object] => [
      "bool_parsing",
      "a valid boolean, unable to interpret input",
      githost("agent", { build_on_push }),
    ]),
  ])("has the type %s, and says that the input should be %s", async (type, expected, body, ...[ctx]) => {
    const { loc: _, ...issue } = await issueOf(await start({ strict: true }), body);
    expect(issue).toEqual({ type, msg: `Input should be ${expected}`, ...(ctx && { ctx }) });
  });

  test.each<[string, object, string, object?]>([
    ["string_too_short", withVolume(""), "String should have at least 1 character", { min_length: 1 }],
    ["string_too_long", withVolume("a".repeat(64)), "String should have at most 63 characters", { max_length: 63 }],
    [
      "string_pattern_mismatch",
      container({ env: [{ name: "1" }] }),
      `String should match pattern '${NAME}'`,
      { pattern: NAME },
    ],
    ["uuid_type", githost("agent", { integration_id: 5 }), "UUID input should be a string, bytes or UUID object"],
    [
      "value_error",
      image({ repo_url: "x" }),
      "Value error, repo_url can only be set for source 'githost'",
      { error: {} },
    ],
    ["extra_forbidden", docker("agent", { extra: 1 }), "Extra inputs are not permitted"],
  ])("with the type %s has its own words", async (type, body, msg, ...[ctx]) => {
    const { loc: _, ...issue } = await issueOf(await start({ strict: true }), body);
    expect(issue).toEqual({ type, msg, ...(ctx && { ctx }) });
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
    [5, "datetime_type", undefined],
    ["2026", "datetime_from_date_parsing", "input is too short"],
    ["2026-02-30T00:00:00Z", "datetime_from_date_parsing", "day value is outside expected range"],
    ["2026-13-01", "datetime_from_date_parsing", "invalid character in year"],
    ["x 2026-01-01", "datetime_from_date_parsing", "invalid character in year"],
  ])("%j instead of a time names the cause", async (start_time, type, error) => {
    const tracing = new TracingClient(await start({ strict: true }));
    const { body } = await tracing.post(bulkExports, await tracing.threeDayExport({ start_time }));
    const msg = `Input should be a valid datetime${error ? ` or date, ${error}` : ""}`;
    expect(body.detail).toEqual([
      { type, loc: ["body", "start_time"], msg, input: start_time, ...(error && { ctx: { error } }) },
    ]);
  });

  test("in a map or a list has the location of its element", async () => {
    const client = await start({ strict: true });
    const spec = ["body", "source_config", "resource_spec"];
    expect((await issueOf(client, withSpec({ labels: { a: "x", b: 1 } }))).loc).toEqual([...spec, "labels", "b"]);
    expect((await issueOf(client, container({ args: ["b", 1] }))).loc).toEqual([...spec, "sidecars", 0, "args", 1]);
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
    expect((await startDeployment({}, withSpec(resource_spec))).source_config.resource_spec).toMatchObject(expected);
  });

  test.each([
    ...[true, 1, "1", "true", "YES", "on", "t", "y"].map((value) => [value, true]),
    ...[false, 0, "0", "false", "no", "Off", "f", "n"].map((value) => [value, false]),
  ])("%j as the boolean %j", async (build_on_push, expected) => {
    expect((await startDeployment({}, githost("agent", { build_on_push }))).source_config.build_on_push).toBe(expected);
  });

  // @covers 2C.Export job.start_time, 2.timestamps
  test.each([
    ["2026-01-01", "2026-01-01T00:00:00"],
    ["2025-12-31T19:00:00.5-05:00", "2026-01-01T00:00:00.500000"],
    ["2026-01-01 01:02:03", "2026-01-01T01:02:03"],
    ["2026-01-01T01:02:03.5", "2026-01-01T01:02:03.500000"],
    ["2026-01-01T01:02:03.123456Z", "2026-01-01T01:02:03.123456"],
    ["2026-01-01T01:02:03+01:00", "2026-01-01T00:02:03"],
  ])("%j as the time %s", async (start_time, expected) => {
    const tracing = new TracingClient(await start({ strict: true }));
    expect((await tracing.create(await tracing.threeDayExport({ start_time }))).start_time).toBe(`${expected}+00:00`);
  });
});

// @covers 4.unknown-fields
test("unknown fields are noted with their path, unless the server is strict", async () => {
  const client = await start();
  await createDeployment(client, { ...withSpec({ volumes: [{ name: "a", more: 1 }] }), extra: 1 });
  const [entry] = client.emulator.requestLog.entries({ method: "POST" });
  expect(entry?.notes).toEqual([
    "body.source_config.resource_spec.volumes.0.more is unknown and ignored",
    "body.extra is unknown and ignored",
  ]);
});
