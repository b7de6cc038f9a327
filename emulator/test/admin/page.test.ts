import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { start } from "../support/emulator";

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("the page", () => {
  test("is the response to a browser only, not in the log, and clients of the API get 404 as before", async () => {
    const client = await start();
    const page = await client.send("GET", "/", undefined, html);
    expect([page.status, client.emulator.requestLog.count()]).toEqual([200, 0]);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    for (const accept of ["application/json", "*/*", ""]) {
      const response = await client.send("GET", "/", undefined, { accept });
      expect(response).toMatchObject({ status: 404, body: { detail: "Not Found" } });
    }
    expect((await client.send("POST", "/", {}, html)).status).toBe(404);
    expect((await client.send("GET", "/v2/deployments", undefined, html)).status).toBe(401);
  });

  test("is one file of less than 120 kB, compressed, that allows only its own scripts and requests", async () => {
    const { body, headers } = await (await start()).send("GET", "/", undefined, html);
    const policy = headers.get("content-security-policy") ?? "";
    for (const [tag, directive] of [
      ["script", "script-src"],
      ["style", "style-src"],
    ]) {
      const [, content = ""] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(String(body)) ?? [];
      const hash = createHash("sha256").update(content).digest("base64");
      expect(content.length).toBeGreaterThan(1000);
      expect(policy).toContain(`${directive} 'sha256-${hash}';`);
    }
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(gzipSync(String(body)).length).toBeLessThan(120_000);
    expect(body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });
});
