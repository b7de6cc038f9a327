import { type Hint, hintFor } from "../../../provider/http/hints";

const ORIGIN = "https://agents.example";
const facts = { credential: "API key", credentialSource: "from the test", workspace: "w-1" };

test.each([
  ["ENOTFOUND", "The host name does not exist. "],
  ["EAI_AGAIN", "The host name could not be resolved. "],
  ["ECONNREFUSED", "Nothing is listening at this address. "],
  ["UND_ERR_CONNECT_TIMEOUT", "The connection timed out. "],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "The server does not use TLS, but the URL is https. "],
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "Node.js and the server cannot agree on a TLS connection. "],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "The certificate is for a different host. "],
  ["CERT_HAS_EXPIRED", "The server's certificate has expired. "],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "Node.js does not trust the certificate. Set the environment variable NODE_EXTRA_"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "Node.js does not trust the certificate. "],
])("The network error %s has a hint that names the server", (code, text) => {
  const { hint, settings } = hintFor({ code, isRoute: false }, ORIGIN, facts) as Hint;
  expect(hint.startsWith(text)).toBe(true);
  expect(settings).toEqual([["server", ORIGIN]]);
});

test.each([
  { code: "ECONNRESET" },
  {},
  { status: 404 },
  { status: 400, isRoute: true },
  { status: 500, isRoute: true },
])("The failure %j has no hint, since the server's message is all that is known", (failure) =>
  expect(hintFor({ isRoute: false, ...failure }, ORIGIN, facts)).toBeUndefined(),
);

test("A 404 of a route has a hint without a credential, which it does not concern", () => {
  expect(hintFor({ status: 404, isRoute: true }, ORIGIN, { ...facts, address: "controlPlaneUrl" })).toEqual({
    hint:
      "The server does not have this route. Check that the URL is the base URL of the platform: not that of its " +
      "website, of an agent, or of a single route.",
    settings: [["server", `${ORIGIN} (controlPlaneUrl)`]],
  });
});

describe.each([
  [
    401,
    "The API key may be expired, revoked or issued by another server. Create a new one and set it where this " +
      "one came from.",
  ],
  [403, "The API key may be wrong or expired, or lack access to the workspace (tenantId), the permission or the plan."],
])("A %i", (status, text) => {
  const hint = (more: object) => hintFor({ status, isRoute: false }, ORIGIN, more);

  it("names the server, the credential and the workspace", () => {
    const settings = [
      ["server", ORIGIN],
      ["API key", "from the test"],
      ["workspace", "w-1"],
    ];
    expect(hint(facts)).toEqual({ hint: text, settings });
  });

  it("says that no credential was sent", () => {
    const settings = [
      ["server", ORIGIN],
      ["credential", "none was sent"],
    ];
    expect(hint({})).toEqual({ hint: text.replace("API key", "credential"), settings });
  });

  it("has the hint of the setting in place of the usual one", () => {
    expect(hint({ ...facts, rejectionHint: "Set apiKey." })?.hint).toBe("Set apiKey.");
  });
});
