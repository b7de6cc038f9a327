/** Servers with TLS whose certificate nobody trusts. */
import { createPrivateKey } from "node:crypto";
import { createServer } from "node:https";
import { listen } from "./listen";

/** Of the certificate below; nothing else uses it. */
const KEY = [
  "MHcCAQEEIPlYQu4h1ygq4Uw9wfM/7KxPgvEjLoMxQfB565gZfpHDoAoGCCqGSM49AwEHoUQDQgAEGT3MfoEvSOqh3mdWvNhPu46t",
  "Rx9k1Agvyq4T0oV6xeXiEhOgX4yY4ss3HdEwrlx1AIrcxuBj5md4Y6Z0ygU2pw==",
].join("");

/** Signed by its own key, for localhost and 127.0.0.1. */
const CERTIFICATE = [
  "MIIBezCCASCgAwIBAgIULcUtSh+WhUeNy9eH6CUJm43tJQAwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTIw",
  "MDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC",
  "AAQZPcx+gS9I6qHeZ1a82E+7jq1HH2TUCC/KrhPShXrF5eISE6BfjJjiyzcd0TCuXHUAitzG4GPmZ3hjpnTKBTano04wTDAaBgNV",
  "HREEEzARgglsb2NhbGhvc3SHBH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUoenhHIHcP9lK7fiw5ordFnSRZXIwCgYI",
  "KoZIzj0EAwIDSQAwRgIhAJl2zrqw0SHTG1/LclAe89LpTe1A9tFwxwQM7O6pFkUZAiEA8kIb+72VuhuDnCF3FZiCh/HTXuZhoeYg",
  "XFpCNydSnZI=",
].join("");

/** Starts a server that returns an empty object to each request. Returns its port. */
export async function startTlsServer(): Promise<number> {
  const key = createPrivateKey({ key: Buffer.from(KEY, "base64"), format: "der", type: "sec1" });
  const options = {
    key: key.export({ type: "pkcs8", format: "pem" }),
    cert: `-----BEGIN CERTIFICATE-----\n${CERTIFICATE}\n-----END CERTIFICATE-----\n`,
  };
  return listen(createServer(options, (_request, response) => response.end("{}")));
}
