/** An ID never changes the route of a request, whatever its characters and origin. */
import fc from "fast-check";
import { forAll } from "../../../emulator/test/support/for-all";
import { isValidId, pathSegment } from "../../../provider/schema/id";
import { anyText } from "../../support/arbitraries/any-text";
import { startHttp } from "../../support/servers/http-client";
import { json } from "../../support/servers/server";

const INVALID_IDS = [
  ...["", ".", "..", "a/../b", "../x", "a?b=c", "a#b", "a\nb", "a b", "%2e%2e", "a\\b", "\u202e", "é", "a".repeat(257)],
];

test.each(INVALID_IDS)("%j is not a valid ID", (id) => {
  expect(isValidId(id)).toBe(false);
  expect(() => pathSegment(id)).toThrow(/is not a valid ID, so no request was sent/);
});

test.each(["5f0c9a52-6d3f-4c1b-9a3e-2b7a1d7f4f10", "thread-1", "a.b", "...", "urn:x:1", "u@example", "0"])(
  "%j is a valid ID",
  (id) => expect(isValidId(id)).toBe(true),
);

// @covers 2.ids
test("pathSegment returns exactly one path segment for any string, or throws", () => {
  forAll(fc.oneof(anyText(), fc.constantFrom(...INVALID_IDS)), (id) => {
    let built: string;
    try {
      built = `/v2/deployments/${pathSegment(id)}/revisions`;
    } catch {
      return;
    }
    const { pathname, search, hash } = new URL(built, "https://control.example");
    expect([pathname, search, hash]).toEqual([built, "", ""]);
    expect(decodeURIComponent(pathname.split("/")[3] ?? "")).toBe(id);
  });
});

test("HttpClient does not send a request whose path would resolve to another one", async () => {
  const { server, http } = await startHttp([json(200, {})]);
  for (const path of ["/v2/../admin", "/v2/./x", "/v2/%2e%2e/x", "/v2/a?b=c", "/v2/a\nb"]) {
    await expect(http.send({ method: "GET", path })).rejects.toThrow(/is not a valid request path/);
  }
  expect(server.requests).toEqual([]);
});
