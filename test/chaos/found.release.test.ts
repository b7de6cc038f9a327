/**
 * Schedules that once failed, each with the defect that it showed; those of defects that a smaller test shows are gone.
 */
import { runSchedule } from "./support/run-schedule";

const API = { slot: "api", renamed: false, source: "image", version: 0, secret: 0 } as const;
const SESSION = { slot: "session", on: "api", by: "deploymentId", team: "support" } as const;

test("an import whose source could not be compared is applied by the next up", async () => {
  await runSchedule({
    program: [{ slot: "api", renamed: false, source: "folder", version: 1, secret: 0 }],
    steps: [
      { do: "up", faults: [{ what: "dies after", method: "PATCH", skip: 0, times: 1 }] },
      { do: "rename", slot: "api", alias: false },
      { do: "time passes", minutes: 1440 },
    ],
  });
});

test.each(["default", "explicit", "native"] as const)(
  "what the stack has is kept when it is imported again by the provider %s, and when it moves back and forth",
  async (provider) => {
    await runSchedule({
      program: [
        API,
        { ...SESSION, text: "Hello" },
        { slot: "bucket", prefix: "agents" },
        { slot: "daily", to: "bucket", of: "shared", variant: 0 },
      ],
      steps: [
        { do: "up", faults: [] },
        { do: "import again", slot: "daily", with: provider },
        { do: "up", faults: [] },
        { do: "import again", slot: "session", with: provider },
        { do: "import again", slot: "api", with: provider },
        { do: "up", faults: [] },
        { do: "move", slot: "api", to: "native" },
        { do: "move", slot: "bucket", to: "native" },
        { do: "up", faults: [] },
        { do: "move", slot: "api", to: "default" },
        { do: "move", slot: "bucket", to: "default" },
        { do: "up --refresh", faults: [] },
      ],
    });
  },
  60_000,
);

test("a cron with a secret input that is imported by the native provider is never stored as plain text", async () => {
  await runSchedule({
    program: [{ slot: "hourly", runs: "support", minute: 0, input: 0 }],
    steps: [
      { do: "up", changes: [], faults: [] },
      { do: "import again", slot: "hourly", with: "native" },
      { do: "forget", slot: "hourly", import: false },
    ],
  });
});

test.each(["default", "native"] as const)(
  "a service continues what was declared one by one, keeps it under another name on %s, and gives it back",
  async (provider) => {
    await runSchedule({
      program: [
        API,
        { ...SESSION, text: "Hello" },
        { slot: "support", on: "api", by: "deploymentId", graph: "echo", prompt: 0 },
        { slot: "nightly", runs: "support", minute: 0 },
        { slot: "bucket", prefix: "agents" },
        { slot: "daily", to: "bucket", of: "api", variant: 0 },
      ],
      steps: [
        { do: "up", faults: [] },
        { do: "move into service", slot: "api", alias: true },
        { do: "up", faults: [] },
        { do: "rename", slot: "api", alias: true },
        { do: "move", slot: "api", to: provider },
        { do: "up", changes: [{ ...API, version: 1 }], faults: [] },
        { do: "move out of service", slot: "api", alias: true },
        { do: "up --refresh", faults: [] },
      ],
    });
  },
  60_000,
);

test("a deployment of a service whose deletion fails is deleted by the next destroy, with its thread", async () => {
  await runSchedule({
    services: ["api"],
    program: [API, SESSION],
    steps: [
      { do: "up", faults: [] },
      { do: "destroy", faults: [{ what: "dies", of: "api", method: "DELETE", skip: 0, times: 1 }] },
    ],
  });
});
