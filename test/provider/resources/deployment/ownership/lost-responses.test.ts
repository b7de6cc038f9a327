/** Lost responses and failing servers: no deployment is created twice, and none is lost. */
import { createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { failureOf } from "../../../../support/errors";
import { startPlatform } from "../../../../support/platform";
import { Stack, stateOf } from "../../../../support/stack";

describe("a create of a Deployment", () => {
  it("that never reached the server fails, leaves nothing behind, and is not repeated", async () => {
    const { platform, stack } = await startDeployment({ faults: [{ method: "POST", connection: "reset-before" }] });
    const { message } = await failureOf(stack.up(dockerDeployment()));
    expect(message).toContain("POST /v2/deployments");
    expect(message).toContain('No deployment has the name "agent", so it was probably not created.');
    expect(stack.state).toBeUndefined();
    expect(platform.requests({ method: "POST" })).toHaveLength(1);
  });

  // @covers 10.server-errors
  it("whose response and follow-up read were lost may exist, and the next up continues with it", async () => {
    const platform = await startPlatform({}, { method: "POST", connection: "reset-after" });
    await platform.addFault({ method: "GET", path: "/v2/deployments", status: 503, skip: 1, times: 6 });
    const stack = new Stack(platform);
    const { message } = await failureOf(stack.up(dockerDeployment()));
    expect(message).toContain("POST /v2/deployments");
    expect(message).toMatch(/Could not determine whether it was created \(GET \/v2\/deployments: 503.*not in state/s);
    expect(await stack.up(dockerDeployment())).toBe("create");
    expect(await platform.deployments()).toHaveLength(1);
  });
});

it("does not adopt a deployment that someone else created at the same time", async () => {
  const { platform, stack } = await startDeployment();
  const rival = new Stack(platform, { organization: "rivals" });
  await platform.addFault({ method: "POST", status: 504 });
  await platform.addFault({ path: "/v2/deployments", method: "GET", status: 503, skip: 1 });
  platform.duringNextWait(() => rival.up(dockerDeployment()));
  await expect(stack.up(dockerDeployment())).rejects.toThrow(": 504: ");
  expect(stack.state).toBeUndefined();
  expect(stateOf(rival).failed).toBe(false);
});

it("an update that never reached the server does not count as applied because of another revision", async () => {
  const { platform, stack } = await startDeployment({ stack: { timeouts: { create: "1s" } } });
  await expect(stack.up(dockerDeployment())).rejects.toThrow("did not finish within 1 s");
  await platform.addFault({ method: "PATCH", status: 429, headers: { "retry-after": "60" } });
  await platform.addFault({ method: "PATCH", connection: "reset-before" });
  await expect(stack.up(dockerDeployment(withImage("1.0.1")))).rejects.toThrow("no response");
  await stack.up(dockerDeployment(withImage("1.0.1")));
  const remote = await platform.getDeployment(stateOf(stack).id);
  expect(remote.source_revision_config.image_uri).toBe("registry.example.com/agent:1.0.1");
});

it("an update names what it leaves of a revision that state does not know, such as that of a killed run", async () => {
  const { platform, stack, id } = await createDeployment();
  const body = { source_revision_config: { image_uri: "registry.example.com/agent:2" } };
  await platform.call("PATCH", `/v2/deployments/${id}`, body);
  await stack.up(dockerDeployment({ secrets: { A: "1" } }));
  expect(stack.messages.join()).toMatch(
    /state does not know revision .* state was restored\. .* leaves .*: sourceRevisionConfig\.imageUri\./,
  );
});
