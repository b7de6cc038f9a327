/** Fields whose text looks like something else: labels with dots, and a secret that is an asterisk. */
import { createDeployment } from "../../../support/deployments/create";
import { dockerDeployment, withResourceSpec } from "../../../support/deployments/inputs";
import { startPlatform } from "../../../support/platform";
import { Stack, stateOf } from "../../../support/stack";

it("Deployment: labels whose keys contain dots are removed when they are no longer declared", async () => {
  const { platform, stack } = await createDeployment(
    dockerDeployment(withResourceSpec({ minScale: 1, labels: { "a.b": "1" } })),
  );
  await stack.up(dockerDeployment(withResourceSpec({ minScale: 1 })));
  const { resource_spec } = (await platform.getDeployment(stateOf(stack).id)).source_config;
  expect(resource_spec.labels ?? undefined).toBeUndefined();
});

it("Deployment: a secret with the value * is not treated as masked, so drift is detected and an interrupted run recognized", async () => {
  const platform = await startPlatform();
  const killed = new Stack(platform);
  const declared = dockerDeployment({ secrets: { ORIGINS: "*", KEY: "1" } });
  platform.duringNextWait(() => Promise.reject(new Error("kill -9")));
  await expect(killed.up(declared)).rejects.toThrow("kill -9");
  await platform.advance(60_000);
  const stack = killed.fork();
  await stack.up(declared);
  const { id, outputs } = stateOf(stack);
  expect(id).toBe(stateOf(killed).id);
  const marker = { name: "PULUMI_RESOURCE", value: outputs.__owner };
  await platform.updateOutOfBand(id, {
    secrets: [marker, { name: "ORIGINS", value: "*" }, { name: "KEY", value: "2" }],
  });
  expect(await stack.refresh()).toBe("changed");
});
