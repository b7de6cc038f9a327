import { start } from "../support/emulator";
import { expectError } from "../support/rejections";

const listener = "22222222-2222-4222-8222-222222222222";

// API `4A.GET /v2/listeners`: 403 when the plan lacks it.
test.each(["/v2/listeners", `/v2/listeners/${listener}`])("%s is 403 on a plan without listeners", async (path) => {
  const client = await start({ plan: "developer" });
  expectError(await client.get(path), 403, expect.stringContaining("not enabled"));
  expect((await client.get("/v2/deployments")).status).toBe(200);
  expect((await (await start()).get(path)).status).toBe(200);
});
