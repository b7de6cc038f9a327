import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { destinationBody, listKeys } from "../../support/bucket/client";
import { startFakeStore } from "../../support/bucket/fake-object-store";
import { bodyAs, bulkExports, exportMs, TracingClient } from "../../support/bulk-export/exports";
import { start } from "../../support/emulator";
import { newFolder } from "../../support/folder";
import { expectError } from "../../support/rejections";

const destinations = `${bulkExports}/destinations`;
const unknownId = "00000000-0000-4000-8000-000000000000";
const startTracing = async (options: object = {}) => new TracingClient(await start({ strict: true, ...options }));
const bodyOf = ({ client }: TracingClient, config: object = {}, credentials: object = {}) =>
  destinationBody(client.emulator.bucket, config, credentials);

describe("a destination", () => {
  // @covers 2C.Destination.config, 2C.Destination:response, 4C.POST /api/v1/bulk-exports/destinations
  // @covers 4C.POST /api/v1/bulk-exports/destinations:tested
  test("is tested before it is saved, by writing and deleting an object", async () => {
    const tracing = await startTracing();
    const store = await startFakeStore();
    const body = bodyOf(tracing, { prefix: "/a b/c/", endpoint_url: store.url }, { session_token: null });
    const response = await tracing.post(destinations, body);
    expect(response).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        tenant_id: tracing.tenantId,
        destination_type: "s3",
        display_name: "My bucket",
        config: { ...body.config, region: null, include_bucket_in_prefix: true, config_kwargs_s3: null },
        credentials_keys: ["access_key_id", "secret_access_key"],
        created_at: expect.stringMatching(/\+00:00$/),
        updated_at: expect.stringMatching(/\+00:00$/),
      },
    });
    expect(store.requests.map((request) => request.replace(/[0-9a-f-]{36}/, "ID"))).toEqual([
      ...["PUT /exports/a%20b/c/tmp/ID.txt", "DELETE /exports/a%20b/c/tmp/ID.txt"],
    ]);
    expect((await tracing.get(`${destinations}/${response.body.id}`)).body).toEqual(response.body);
    expect((await tracing.get(destinations)).body).toEqual([response.body]);
    expect((await tracing.get(`${destinations}/${unknownId}`)).status).toBe(404);
  });

  // @covers 4C.POST /api/v1/bulk-exports/destinations:tested, 7:destinations, 7.400, 7:destinations.detail
  test.each([
    ["a wrong secret", {}, { secret_access_key: "wrong" }, /secret access key .* signature/],
    ["an unreachable host", { endpoint_url: "http://127.0.0.1:1" }, {}, /Could not connect to the endpoint/],
  ])("with %s is rejected and not saved", async (_, config, credentials, message) => {
    const tracing = await startTracing();
    const response = await tracing.post(destinations, bodyOf(tracing, config, credentials));
    expect(response.status).toBe(400);
    expect(response.body.detail).toMatch(/^Failed to validate S3 destination: /);
    expect(response.body.detail).toMatch(message);
    expect((await tracing.get(destinations)).body).toEqual([]);
  });

  // @covers 2C.Destination.credentials
  test("without credentials is rejected", async () => {
    const tracing = await startTracing();
    const { credentials: _, ...body } = bodyOf(tracing);
    const response = await tracing.post(destinations, body);
    const detail = "Failed to validate S3 destination: Unable to locate credentials (NoCredentials)";
    expect(response).toMatchObject({ status: 400, body: { detail } });
  });

  // @covers 2C.Destination.config:place, 2C.Destination.config:more
  test.each([
    ["virtual", "localhost"],
    ["path", "localhost"],
    ["auto", "127.0.0.1"],
  ])("may be addressed in the style %s at %s", async (addressing_style, host) => {
    const tracing = await startTracing();
    const endpoint_url = tracing.client.emulator.bucket.url.replace("127.0.0.1", host);
    const config = { endpoint_url, config_kwargs_s3: { addressing_style } };
    expect((await tracing.post(destinations, bodyOf(tracing, config))).status).toBe(200);
  });

  // @covers 2C.Output layout:bucket
  test("may have its bucket in the endpoint URL", async () => {
    const tracing = await startTracing();
    const endpoint_url = `${tracing.client.emulator.bucket.url}/exports`;
    const config = { endpoint_url, include_bucket_in_prefix: false };
    expect((await tracing.post(destinations, bodyOf(tracing, config))).status).toBe(200);
    const repeatedBucket = await tracing.post(destinations, bodyOf(tracing, { endpoint_url, bucket_name: "other" }));
    expect(repeatedBucket.status).toBe(200);
    expect(await listKeys(tracing.client.emulator.bucket)).toEqual([]);
  });

  // @covers 2C.Destination.destination_type, 2C.Destination.display_name, 2C.Destination.credentials
  // @covers 2C.Destination.display_name:form, 2C.Destination.config:bounds
  test.each([
    [{ display_name: "a/b" }, ["display_name"], "string_pattern_mismatch"],
    [{ display_name: "" }, ["display_name"], "string_too_short"],
    [{ display_name: undefined }, ["display_name"], "missing"],
    [{ config: undefined }, ["config"], "missing"],
    [{ config: { bucket_name: "ab" } }, ["config", "bucket_name"], "string_too_short"],
    [{ config: { bucket_name: "a".repeat(64) } }, ["config", "bucket_name"], "string_too_long"],
    [{ config: { bucket_name: "abc", color: 1 } }, ["config", "color"], "extra_forbidden"],
    [{ destination_type: "ftp" }, ["destination_type"], "enum"],
    [{ credentials: { access_key_id: "a" } }, ["credentials", "secret_access_key"], "missing"],
  ])("with %j is rejected in the format of FastAPI", async (change, loc, type) => {
    const tracing = await startTracing();
    const response = await tracing.post(destinations, { ...bodyOf(tracing), ...change });
    expect(response).toMatchObject({ status: 422, body: { detail: [{ type, loc: ["body", ...loc] }] } });
  });

  // @covers 2C.Destination.display_name
  test("has only the fields and the rules of the interface with interfaceOnly", async () => {
    const tracing = new TracingClient(await start({ interfaceOnly: true }));
    const body = bodyOf(tracing, { include_bucket_in_prefix: true }, { session_token: "" });
    const response = await tracing.post(destinations, { ...body, display_name: "Traces (EU)" });
    expect(response).toMatchObject({ status: 200, body: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
    expect(tracing.client.emulator.requestLog.entries({ method: "POST" })[0]?.notes).toEqual([
      "body.config.include_bucket_in_prefix is unknown and ignored",
      "body.credentials.session_token is unknown and ignored",
    ]);
  });

  // @covers 2C.Destination.credentials:encrypted
  test("never shows its secrets in responses, errors, the request log or data files", async () => {
    const data = newFolder();
    const tracing = await startTracing({ data });
    const secret = tracing.client.emulator.bucket.secretAccessKey;
    const session = { session_token: "" };
    const { body } = await tracing.post(destinations, bodyOf(tracing, {}, session));
    await tracing.post(destinations, { ...bodyOf(tracing), display_name: "" });
    await tracing.patch(`${destinations}/${body.id}`, { credentials: bodyOf(tracing).credentials });
    const responses = [
      ...[body, (await tracing.get(destinations)).body, tracing.client.emulator.requestLog.entries()],
      (await tracing.client.admin("GET", "/exports")).body,
    ];
    expect(JSON.stringify(responses)).not.toContain(secret);
    for (const file of ["emulator.sqlite", "emulator.sqlite-wal"])
      expect(readFileSync(join(data, file)).includes(secret)).toBe(false);
    expect(statSync(join(data, "vault.key")).mode & 0o777).toBe(0o600);
  });

  // @covers 2C.Destination:fixed, 4C.PATCH /api/v1/bulk-exports/destinations/{destination_id}
  test("can change only its credentials, all at once, and only to valid ones", async () => {
    const tracing = await startTracing();
    const { credentials } = bodyOf(tracing);
    const { id, ...before } = (await tracing.post(destinations, bodyOf(tracing))).body;
    const path = `${destinations}/${id}`;
    const wrong = await tracing.patch(path, { credentials: { ...credentials, secret_access_key: "wrong" } });
    expect(wrong).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/^Failed to validate/) } });
    for (const body of [{ credentials: { access_key_id: "a" } }, { display_name: "x" }])
      expect((await tracing.patch(path, body)).status).toBe(422);
    expect((await tracing.patch(`${destinations}/${unknownId}`, { credentials })).status).toBe(404);
    expect((await tracing.get(path)).body).toEqual({ id, ...before });

    await tracing.client.advance(1000);
    const rotated = await tracing.patch(path, { credentials });
    expect(rotated).toMatchObject({ status: 200, body: { ...before, id, updated_at: expect.any(String) } });
    expect(bodyAs<{ updated_at: string }>(rotated.body).updated_at).not.toBe(before.created_at);
  });

  test("without credentials fails the exports to it", async () => {
    const tracing = await startTracing();
    const { config } = bodyOf(tracing);
    const seeded = await tracing.client.emulator.seed({ destinations: [{ config }] });
    const bulk_export_destination_id = String(seeded.destinations?.[0]);
    const { body } = await tracing.get(`${destinations}/${bulk_export_destination_id}`);
    expect(body).toMatchObject({ credentials_keys: [] });
    const run = { name: "r", start_time: "2026-01-01T12:00:00Z" };
    const { session_id } = await tracing.client.emulator.loadRuns({ project: "agent" }, [run]);
    const { id } = await tracing.create(await tracing.threeDayExport({ bulk_export_destination_id, session_id }));
    await tracing.client.advance(exportMs);
    const [failed] = await tracing.runs(id);
    expect(failed?.errors).toEqual({ retry_0: "Unable to locate credentials (NoCredentials)" });
  });

  // @covers 4C.DELETE /api/v1/bulk-exports/destinations/{destination_id}
  test("can be deleted until an export refers to it", async () => {
    const tracing = await startTracing();
    const [free, used] = [await tracing.destination(), await tracing.destination()];
    await tracing.create({ ...(await tracing.threeDayExport()), bulk_export_destination_id: used });
    expect((await tracing.remove(`${destinations}/${free}`)).status).toBe(204);
    expect((await tracing.get(`${destinations}/${free}`)).status).toBe(404);
    const reason = `Bulk export destination ${used} cannot be deleted: 1 bulk exports refer to it`;
    expectError(await tracing.remove(`${destinations}/${used}`), 409, reason);
    const missing = `Bulk export destination ${unknownId} not found`;
    expectError(await tracing.remove(`${destinations}/${unknownId}`), 404, missing);
  });
});

describe("on the platform of today, a destination", () => {
  const role = "arn:aws:iam::123456789012:role/exports";
  const withoutKey = (tracing: TracingClient, change: object) => {
    const { credentials: _, ...body } = bodyOf(tracing);
    return { ...body, ...change };
  };

  // @covers 2C.Destination.aws_role_arn
  test.each([
    ["a role", { aws_role_arn: role }, role],
    ["neither key nor role", {}, null],
  ])("with %s is created, and exports can write to it", async (_, change, aws_role_arn) => {
    const tracing = await startTracing({ platform: "today" });
    const created = await tracing.post(destinations, withoutKey(tracing, change));
    expect(created).toMatchObject({ status: 200, body: { credentials_keys: [], aws_role_arn } });
  });

  // @covers 2C.Destination:switch
  test("changes from a key to a role and back in place; neither keeps it, and both at once are rejected", async () => {
    const tracing = await startTracing({ platform: "today" });
    const { credentials, ...body } = bodyOf(tracing);
    const { id } = (await tracing.post(destinations, { ...body, credentials })).body;
    const toRole = await tracing.patch(`${destinations}/${id}`, { aws_role_arn: role });
    expect(toRole).toMatchObject({ status: 200, body: { aws_role_arn: role, credentials_keys: [] } });
    for (const change of [{ credentials }, {}, { credentials: null }]) {
      const { body: hasKey } = await tracing.patch(`${destinations}/${id}`, change);
      expect(hasKey).toMatchObject({ aws_role_arn: null, credentials_keys: ["access_key_id", "secret_access_key"] });
    }
    expect((await tracing.patch(`${destinations}/${id}`, { credentials, aws_role_arn: role })).status).toBe(400);
    expect((await tracing.post(destinations, { ...body, aws_role_arn: "role" })).status).toBe(422);
  });
});
