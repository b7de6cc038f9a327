import { start } from "../support/emulator";

// interface.md section 3, the values of a deployment's status.
describe("the status of a deployment", () => {
  // @covers 2A.Deployment.status, 3.Deployment status, 4A.GET /v2/deployments.status
  test.each(["AWAITING_DATABASE", "READY", "UNUSED", "AWAITING_DELETE", "UNKNOWN"])(
    "may be %s, and the list can be filtered by it",
    async (status) => {
      const client = await start({ strict: true });
      const other = status === "READY" ? "UNUSED" : "READY";
      await client.emulator.seed({
        deployments: [
          { name: "one", status },
          { name: "two", status: other },
        ],
      });
      const { resources } = (await client.get(`/v2/deployments?status=${status}`)).body;
      expect(resources).toMatchObject([{ name: "one", status }]);
    },
  );
});
