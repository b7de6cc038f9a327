/** When the source of a deployment is uploaded, and what a lost response to its request means. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDeployment } from "../../../../support/deployments/create";
import { dockerDeployment } from "../../../../support/deployments/inputs";
import { createAgentFolder, internalSource } from "../../../../support/deployments/source-folder";
import { failureOf } from "../../../../support/errors";
import { startPlatform } from "../../../../support/platform";
import { Stack, stateOf } from "../../../../support/stack";

const RETRY = "warn: the latest revision had failed; uploading the source again and retrying it once.";

/** A live deployment from a folder, which the next declaration contains again. */
async function deployed() {
  const folder = createAgentFolder();
  const declared = internalSource({ sourcePath: folder });
  const { platform, stack } = await createDeployment(declared);
  const change = () => writeFileSync(join(folder, "agent.py"), "graph = 2");
  const uploads = () => platform.requests({ method: "PUT" });
  const revisions = async () => (await platform.getDeployment(stateOf(stack).id)).revisions.map(({ status }) => status);
  return { platform, stack, declared, change, uploads, revisions };
}

it("a create of a Deployment from a folder whose upload is rejected does not blame the API key, which was not sent", async () => {
  const platform = await startPlatform();
  const body = "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>";
  await platform.emulator.faults.add({ method: "PUT", status: 403, body });
  const { message } = await failureOf(new Stack(platform).up(internalSource({ sourcePath: createAgentFolder() })));
  expect(message).toContain("403: AccessDenied Request has expired\nThe store rejected the signed upload URL");
  expect(message).not.toContain("tenantId");
});

describe("an update of a Deployment from a folder", () => {
  it("of something else uploads nothing, and reads no revision before it", async () => {
    const { platform, stack, declared, uploads } = await deployed();
    await stack.up({ ...declared, secrets: { A: "1" } });
    expect(uploads()).toEqual([]);
    const requests = platform.requests();
    expect(requests.slice(0, requests.indexOf("PATCH /v2/deployments/{id}"))).toEqual(["GET /v2/deployments/{id}"]);
    expect(stack.messages).not.toContain(RETRY);
  });

  it("after a failed revision uploads it again once, with a warning", async () => {
    const { platform, stack, declared, change, uploads, revisions } = await deployed();
    change();
    await platform.emulator.faults.add({ revision: { ends: "BUILD_FAILED" } });
    await expect(stack.up(declared)).rejects.toThrow("BUILD_FAILED");
    expect(await stack.up(declared)).toBe("update");
    expect(stack.messages).toContain(RETRY);
    expect(uploads()).toHaveLength(2);
    expect(await revisions()).toEqual(["DEPLOYED", "BUILD_FAILED", "DEPLOYED"]);
  });

  it("of a deployment without a revision uploads the unchanged folder", async () => {
    const { platform, stack, declared, uploads } = await deployed();
    const { id } = stateOf(stack);
    const { body } = await platform.call("GET", `/v2/deployments/${id}`);
    const withoutRevision = { ...body, latest_revision_id: null, active_revision_id: null };
    await platform.emulator.faults.add({
      method: "GET",
      path: `/v2/deployments/${id}`,
      status: 200,
      body: withoutRevision,
    });
    await stack.up({ ...declared, secrets: { A: "1" } });
    expect(uploads()).toHaveLength(1);
  });
});

it("an update of a Deployment in place whose response was lost succeeds without a new revision", async () => {
  const { platform, stack } = await createDeployment();
  await platform.emulator.faults.add({ method: "PATCH", connection: "reset-after" });
  expect(await stack.up(dockerDeployment({ sourceConfig: { customUrl: "https://a.example" } }))).toBe("update");
  expect((await platform.getDeployment(stateOf(stack).id)).revisions).toHaveLength(1);
});

it("a refresh of a Deployment that is being deleted sends one request", async () => {
  const { platform, stack } = await createDeployment();
  await platform.call("DELETE", `/v2/deployments/${stateOf(stack).id}`);
  await platform.emulator.requestLog.clear();
  expect(await stack.refresh()).toBe("gone");
  expect(platform.requests()).toEqual(["GET /v2/deployments/{id}"]);
});

it("a refresh of a Deployment succeeds when the server cannot return its unfinished revision", async () => {
  const { platform, stack } = await createDeployment(dockerDeployment({ waitFor: "none" }));
  await platform.emulator.faults.add({ method: "GET", path: "/v2/deployments/*/revisions/*", status: 403, times: 9 });
  const host = stack.host();
  stateOf(stack).inputs.waitFor = "deployed";
  stateOf(stack).outputs.waitFor = "deployed";
  await stack.refresh(host);
  expect(stack.messages.filter((row) => row.startsWith("warn"))).toEqual([]);
  expect(platform.requests({ path: "/v2/deployments/*/revisions/*" })).toHaveLength(1);
});
