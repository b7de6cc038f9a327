/**
 * Failures after the remote object exists: state keeps it. test/e2e/plugin/plugin-interrupted.release.test.ts adds the
 * size of the state.
 */
import { dockerDeployment } from "../support/deployments/inputs";
import { startLife } from "./support/life";

test("An error of the server that is not valid Unicode, or very long, reaches the engine", async () => {
  const { platform, life } = await startLife();
  for (const detail of ["broken \ud800 half", "😀".repeat(20_000), "line\nline\r\n\u0000"]) {
    await platform.emulator.faults.add({ method: "POST", status: 400, body: { detail } });
    await expect(life.create(dockerDeployment())).rejects.toThrow(/Deployment "agent": create failed/);
  }
  await life.create(dockerDeployment());
});
