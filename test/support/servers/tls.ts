/**
 * Servers with TLS whose certificates have what users meet: nobody trusts it, it has expired, or it is for another
 * host.
 */
import { createPrivateKey } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";

/** Of all certificates below; nothing else uses it. */
const KEY = [
  "MHcCAQEEIPlYQu4h1ygq4Uw9wfM/7KxPgvEjLoMxQfB565gZfpHDoAoGCCqGSM49AwEHoUQDQgAEGT3MfoEvSOqh3mdWvNhPu46t",
  "Rx9k1Agvyq4T0oV6xeXiEhOgX4yY4ss3HdEwrlx1AIrcxuBj5md4Y6Z0ygU2pw==",
].join("");

/** Signed by their own key. The first two are for localhost and 127.0.0.1; only the second one has expired. */
const CERTIFICATES = {
  trusted: [
    "MIIBezCCASCgAwIBAgIULcUtSh+WhUeNy9eH6CUJm43tJQAwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTIw",
    "MDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC",
    "AAQZPcx+gS9I6qHeZ1a82E+7jq1HH2TUCC/KrhPShXrF5eISE6BfjJjiyzcd0TCuXHUAitzG4GPmZ3hjpnTKBTano04wTDAaBgNV",
    "HREEEzARgglsb2NhbGhvc3SHBH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUoenhHIHcP9lK7fiw5ordFnSRZXIwCgYI",
    "KoZIzj0EAwIDSQAwRgIhAJl2zrqw0SHTG1/LclAe89LpTe1A9tFwxwQM7O6pFkUZAiEA8kIb+72VuhuDnCF3FZiCh/HTXuZhoeYg",
    "XFpCNydSnZI=",
  ].join(""),
  expired: [
    "MIIBeTCCAR6gAwIBAgIUFKgCkrvIH48IPkr1vjYmD86i7bQwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTIw",
    "MDEwMTAwMDAwMFoXDTIxMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE",
    "GT3MfoEvSOqh3mdWvNhPu46tRx9k1Agvyq4T0oV6xeXiEhOgX4yY4ss3HdEwrlx1AIrcxuBj5md4Y6Z0ygU2p6NOMEwwGgYDVR0R",
    "BBMwEYIJbG9jYWxob3N0hwR/AAABMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFKHp4RyB3D/ZSu34sOaK3RZ0kWVyMAoGCCqG",
    "SM49BAMCA0kAMEYCIQDJNyvnVAizISablH6yMj4LA3RY5loPsHVgM+jDW4PM1gIhAKqR8+/eIaa7B1N1Jm3oXJw/nJRdKBcw4FUg",
    "PPU3wP34",
  ].join(""),
  other: [
    "MIIBfzCCASagAwIBAgIUFGG1lvqNVi0TLim9v5+6yqAkOJowCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTAg",
    "Fw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTBZMBMGByqGSM49AgEGCCqG",
    "SM49AwEHA0IABBk9zH6BL0jqod5nVrzYT7uOrUcfZNQIL8quE9KFesXl4hIToF+MmOLLNx3RMK5cdQCK3MbgY+ZneGOmdMoFNqej",
    "TDBKMBgGA1UdEQQRMA+CDW90aGVyLmV4YW1wbGUwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUoenhHIHcP9lK7fiw5ordFnSR",
    "ZXIwCgYIKoZIzj0EAwIDRwAwRAIgEBBTYnol+eRyBedc3jcgp941GkdkD083/WIr+GC9DQ4CIDJSBmNB6YEp1Y/xYTqKRDMID6ji",
    "xB7XwUsIiXJbwPOB",
  ].join(""),
};

const pem = (certificate: string) => `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`;
export const certificateOf = (name: keyof typeof CERTIFICATES): string => pem(CERTIFICATES[name]);

const started: Server[] = [];
afterEach(() => {
  for (const server of started.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a server that returns an empty object to each request. Returns its port. */
export async function startTlsServer(name: keyof typeof CERTIFICATES): Promise<number> {
  const key = createPrivateKey({ key: Buffer.from(KEY, "base64"), format: "der", type: "sec1" });
  const options = { key: key.export({ type: "pkcs8", format: "pem" }), cert: certificateOf(name) };
  const server = createServer(options, (_request, response) => response.end("{}"));
  started.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
