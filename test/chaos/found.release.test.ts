/** Schedules that once failed, each with the defect that it showed. */
import { runSchedule } from "./support/run-schedule";
import { Server } from "./support/server/server";

test("an import whose source could not be compared is applied by the next up", async () => {
  await runSchedule({
    program: [{ slot: "api", renamed: false, source: "folder", version: 1, secret: 0 }],
    steps: [
      { do: "up", faults: [{ what: "dies after", method: "PATCH", skip: 0, times: 1 }] },
      { do: "rename", slot: "api", alias: false },
      { do: "time passes", minutes: 1440 },
    ],
  });
}, 60_000);

test("a request that arrives after the death of its process is not created again", async () => {
  await runSchedule({
    program: [{ slot: "api", renamed: false, source: "image", version: 0, secret: 0 }],
    steps: [
      { do: "change", to: { slot: "bucket", prefix: "agents" } },
      {
        do: "up",
        changes: [],
        faults: [
          { what: "times out, then arrives", skip: 2, times: 1 },
          { what: "dies", skip: 2, times: 1 },
        ],
      },
      { do: "change", to: { slot: "once", to: "shared", of: "shared", variant: 0 } },
    ],
  });
}, 60_000);

test("an export that another client canceled is not imported, and created again once the import is removed", async () => {
  await runSchedule({
    program: [{ slot: "once", to: "shared", of: "shared", variant: 0 }],
    steps: [
      { do: "up", changes: [], faults: [] },
      { do: "outside", slot: "api", act: "deletes" },
      { do: "forget", slot: "api", import: true },
      { do: "forget", slot: "api", import: false },
    ],
  });
}, 60_000);

test("two rollouts that hang are polled until they time out, and so are their rollbacks", async () => {
  const rollout = { renamed: false, source: "image", version: 1, secret: 0, rollbackOnFailure: true } as const;
  await runSchedule({
    program: [
      { slot: "api", renamed: false, source: "image", version: 0, secret: 0 },
      { slot: "worker", renamed: false, source: "image", version: 0, secret: 0 },
    ],
    steps: [
      { do: "up", changes: [], faults: [] },
      { do: "revisions hang", status: "DEPLOYING" },
      {
        do: "up",
        changes: [
          { slot: "api", ...rollout },
          { slot: "worker", ...rollout },
        ],
        continueOnError: true,
        faults: [],
      },
    ],
  });
}, 60_000);

test("restarts of the emulator that several faults cause follow one another", async () => {
  const server = await Server.start();
  await Promise.all([server.restart(), server.restart(), server.restart()]);
  expect((await server.call("GET", "/v2/deployments")).status).toBe(200);
  await server.stop();
});

test.each(["default", "explicit", "native"] as const)(
  "what the stack has is kept when it is imported again by the provider %s, and when it moves back and forth",
  async (provider) => {
    await runSchedule({
      program: [
        { slot: "api", renamed: false, source: "image", version: 0, secret: 0 },
        { slot: "session", on: "api", by: "deploymentId", team: "support", text: "Hello" },
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

test("a thread is destroyed with its deployment, which the same run deleted first", async () => {
  await runSchedule({
    program: [
      { slot: "worker", renamed: false, source: "image", version: 0, secret: 0 },
      { slot: "session", on: "shared", by: "deploymentId", team: "support" },
    ],
    steps: [
      { do: "up", changes: [], faults: [] },
      { do: "up", changes: [{ slot: "session", on: "worker", by: "deploymentId", team: "support" }], faults: [] },
    ],
  });
}, 60_000);

test("a thread of a URL whose deployment others deleted does not stop a program for good", async () => {
  await runSchedule({
    program: [{ slot: "session", on: "worker", by: "deploymentUrl", team: "support" }],
    steps: [
      {
        do: "up",
        changes: [{ slot: "worker", renamed: false, source: "image", version: 0, secret: 0 }],
        faults: [],
      },
      { do: "outside", slot: "worker", act: "deletes" },
      { do: "remove", slot: "api" },
    ],
  });
}, 60_000);

test("a deployment that state lost after a rename is imported under the name of its marker", async () => {
  await runSchedule({
    program: [{ slot: "api", renamed: false, source: "image", version: 0, secret: 0 }],
    steps: [
      { do: "rename", slot: "api", alias: false },
      { do: "up", changes: [], faults: [] },
      { do: "forget", slot: "api", import: false },
      { do: "rename", slot: "api", alias: false },
    ],
  });
}, 60_000);

test("a cron with a secret input that is imported by the native provider is never stored as plain text", async () => {
  await runSchedule({
    program: [{ slot: "hourly", runs: "support", minute: 0, input: 0 }],
    steps: [
      { do: "up", changes: [], faults: [] },
      { do: "import again", slot: "hourly", with: "native" },
      { do: "forget", slot: "hourly", import: false },
    ],
  });
}, 60_000);

test("an assistant that a run without state left under an earlier name is imported once its ownership marker is emptied", async () => {
  await runSchedule({
    program: [
      { slot: "support", on: "shared", by: "deploymentId", graph: "echo", prompt: 0, declaresId: true },
      { slot: "nightly", runs: "support", minute: 0 },
    ],
    steps: [
      { do: "two ups", faults: [{ what: "400 with the request", skip: 0, times: 1 }] },
      { do: "rename", slot: "support", alias: false },
    ],
  });
}, 60_000);

test("a destination that an export of a run without state uses is kept", async () => {
  await runSchedule({
    program: [
      { slot: "once", to: "bucket", of: "shared", variant: 0 },
      { slot: "bucket", prefix: "agents" },
    ],
    steps: [{ do: "two ups", faults: [] }],
  });
}, 60_000);

test("an assistant that a run without state created on another server is not taken for the declared one with its ID", async () => {
  await runSchedule({
    program: [{ slot: "support", on: "worker", by: "deploymentId", graph: "echo", prompt: 0, declaresId: true }],
    steps: [
      { do: "two ups", faults: [{ what: "dies", skip: 0, times: 1 }] },
      {
        do: "up",
        changes: [{ slot: "worker", renamed: false, source: "image", version: 0, secret: 0 }],
        faults: [],
      },
    ],
  });
}, 60_000);

test("an assistant that others rolled back after a refresh stored their change gets what the program declares", async () => {
  await runSchedule({
    program: [{ slot: "support", on: "shared", by: "deploymentId", graph: "echo", prompt: 0 }],
    steps: [
      { do: "up", changes: [], faults: [] },
      { do: "outside", slot: "support", act: "changes" },
      { do: "refresh", changes: [], faults: [] },
      { do: "outside", slot: "support", act: "changes" },
    ],
  });
}, 60_000);

test.each(["default", "native"] as const)(
  "a service continues what was declared one by one, keeps it under another name and on the provider %s, and gives it back",
  async (provider) => {
    const api = { slot: "api", renamed: false, source: "image", version: 0, secret: 0 } as const;
    await runSchedule({
      program: [
        api,
        { slot: "session", on: "api", by: "deploymentId", team: "support", text: "Hello" },
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
        { do: "up", changes: [{ ...api, version: 1 }], faults: [] },
        { do: "move out of service", slot: "api", alias: true },
        { do: "up --refresh", faults: [] },
      ],
    });
  },
  60_000,
);

test("a deployment of a service whose deletion fails is deleted by the next destroy, with what state no longer has", async () => {
  await runSchedule({
    services: ["api"],
    program: [
      { slot: "api", renamed: false, source: "image", version: 0, secret: 0 },
      { slot: "session", on: "api", by: "deploymentId", team: "support" },
    ],
    steps: [
      { do: "up", faults: [] },
      { do: "destroy", faults: [{ what: "dies", of: "api", method: "DELETE", skip: 0, times: 1 }] },
    ],
  });
}, 60_000);
