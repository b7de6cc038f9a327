/** Invalid IDs cause no request, and malformed responses fail with typed errors and leave the state as it is. */
import { definitions } from "../../../../../provider/definitions";
import { UserError } from "../../../../../provider/text/user-error";
import { failureOf } from "../../../../support/errors";
import { createSample, fetchSample, sampleKinds } from "../kinds";

test.each(Object.entries(sampleKinds))(
  "state of a %s whose ID is a dot segment sends no request for it",
  async (_kind, { start }) => {
    const { platform, stack, declared } = await start();
    await platform.emulator.requestLog.clear();
    const props = { ...declared, __urn: stack.urn };
    const host = stack.host();
    for (const act of [
      () => host.read("..", props),
      () => host.update("..", props, props),
      () => host.delete("..", props),
    ]) {
      const error = await act().then(
        () => undefined,
        (reason: Error) => reason,
      );
      // Some first read a list, which does not contain the object.
      if (error) expect(error.message).toMatch(/^\w+ "\w+": /);
    }
    const routes = platform.requests().map((line) => line.replace(/\?.*/, ""));
    expect(
      routes.filter((line) => /^(POST|PATCH|DELETE)|\/v2\/?$|\/bulk-exports\/?$|\/api\/v1\/?$|\/$/.test(line)),
    ).toEqual(routes.filter((line) => line === "GET /api/v1/bulk-exports"));
  },
);

it("every kind of resource has a sample for the tests of all kinds", () => {
  expect(Object.keys(sampleKinds).sort()).toEqual(definitions.map(({ kind }) => kind).sort());
});

const cases = Object.entries(sampleKinds).flatMap(([kind, sampleKind]) =>
  Object.entries(sampleKind.malformed).map(([field, value]) => [kind, field, value, sampleKind] as const),
);

it.each(cases)("a %s whose %s is %j fails a refresh with the field's name", async (_kind, field, value, sampleKind) => {
  const sample = await createSample(sampleKind);
  const { platform, stack, path, id } = sample;
  const before = structuredClone(stack.state);
  const { body: whole } = await fetchSample(sample, id);
  await platform.addFault({
    ...{ method: "GET", path: path(id), times: 20 },
    ...{ status: 200, body: { ...whole, [field]: value } },
  });
  const error = await failureOf(stack.refresh());
  expect(error).toBeInstanceOf(UserError);
  const camel = field.replace(/_[a-z]/g, (part) => part.charAt(1).toUpperCase());
  expect(error.message).toMatch(new RegExp(`GET .*: 200: unexpected response: ${camel}.* is not `));
  expect(stack.state).toEqual(before);
});
