import { cron } from "../../../../provider/resources/cron";

const remote = { id: "c", cronId: "c", assistantId: "echo", schedule: "0 3 * * *", timezone: "UTC", metadata: {} };
const container = { deploymentId: "4b7c3d6e-0000-4000-8000-000000000001" };

it("Cron: one that is paused is adopted as paused, and defaults are left out", () => {
  const toInputs = (change: object) => cron.adopt.toInputs({ ...remote, ...change }, container, {} as never);
  expect(toInputs({ enabled: false })).toMatchObject({ schedule: "0 3 * * *", enabled: false });
  expect(toInputs({ enabled: true })).not.toHaveProperty("enabled");
  expect(toInputs({ enabled: true })).not.toHaveProperty("timezone");
});
