import { UNKNOWN } from "../../provider/plan/property-values";
import { dockerDeployment, repository, withImage } from "../support/deployments/inputs";
import { secret } from "../support/hosts/plugin-secrets";
import { startPlatform } from "../support/platform";
import { PluginLife, startLife } from "./support/life";

test("A preview of a create sends no request, marks secrets and knows no output of the server", async () => {
  const { platform, life } = await startLife();
  const outputs = await life.create(dockerDeployment({ secrets: { A: "1" } }), { isPreview: true });
  const unknowns = { url: UNKNOWN, tenantId: UNKNOWN };
  expect(outputs).toMatchObject({ ...dockerDeployment({ secrets: { A: secret("1") } }), ...unknowns });
  expect([platform.requests(), life.id]).toEqual([[], ""]);
});

test("A preview of an update sends no request and keeps the outputs that it cannot change", async () => {
  const { platform, life } = await startLife();
  const { url, tenantId, createdAt } = await life.create(dockerDeployment({ secrets: { A: "1" } }));
  const before = platform.requests().length;
  const outputs = await life.update(dockerDeployment({ secrets: { A: "2" }, ...withImage("2") }), { isPreview: true });
  expect(outputs).toMatchObject({ url, tenantId, createdAt, latestRevisionId: UNKNOWN, secrets: { A: secret("2") } });
  const moved = dockerDeployment({ sourceConfig: { customUrl: "https://other.example" } });
  expect(await life.update(moved, { isPreview: true })).toMatchObject({ url: UNKNOWN, tenantId });
  expect(platform.requests()).toHaveLength(before);
});

test("A preview of an update knows what the platform changes in place", async () => {
  const { platform, life } = await startLife();
  const { url } = await life.create(repository());
  const moving = (await PluginLife.start(platform, "Deployment", { platform: "langsmith" })).continue(life);
  const moved = repository({ repoUrl: UNKNOWN });
  expect(await life.update(moved, { isPreview: true })).toMatchObject({ url: UNKNOWN });
  expect(await moving.update(moved, { isPreview: true })).toMatchObject({ url });
});

test("A preview with an unknown input keeps it unknown and does not validate it", async () => {
  const life = await PluginLife.start(await startPlatform());
  const declared = dockerDeployment({ secrets: { A: secret(UNKNOWN) }, name: UNKNOWN });
  const outputs = await life.create(declared, { isPreview: true });
  expect(life.texts.filter((text) => text.includes("must"))).toEqual([]);
  expect(outputs).toMatchObject({ name: UNKNOWN, secrets: { A: secret(UNKNOWN) } });
});

test("customTimeouts of the program limit an update", async () => {
  const { platform, life } = await startLife();
  await life.create(dockerDeployment());
  await platform.emulator.faults.add({ hold: { status: "DEPLOYING" } });
  const update = life.update(dockerDeployment(withImage("2")), { timeoutSeconds: 90 });
  await expect(update).rejects.toThrow("did not finish within 90 s");
});
