/** Responses with malformed fields: they fail with typed errors, and state is unchanged. */
import { UserError } from "../../../../provider/text/user-error";
import { failureOf } from "../../../support/errors";
import { createSample, fetchSample, sampleKinds } from "../../../support/kinds";

const cases = Object.entries(sampleKinds).flatMap(([kind, sampleKind]) =>
  Object.entries(sampleKind.malformed).map(([field, value]) => [kind, field, value, sampleKind] as const),
);

it.each(cases)("a %s whose %s is %j fails a refresh with the field's name", async (_kind, field, value, sampleKind) => {
  const sample = await createSample(sampleKind);
  const { platform, stack, path, id } = sample;
  const before = structuredClone(stack.state);
  const { body: whole } = await fetchSample(sample, id);
  await platform.emulator.faults.add({
    ...{ method: "GET", path: path(id), times: 20 },
    ...{ status: 200, body: { ...whole, [field]: value } },
  });
  const error = await failureOf(stack.refresh());
  expect(error).toBeInstanceOf(UserError);
  const camel = field.replace(/_[a-z]/g, (part) => part.charAt(1).toUpperCase());
  expect(error.message).toMatch(new RegExp(`GET .*: 200: unexpected response: ${camel}.* is not `));
  expect(stack.state).toEqual(before);
});
