/** Invalid IDs from the import option and from state: they fail, and no request is sent. */
import { definitions } from "../../../../provider/definitions";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { dockerDeployment } from "../../../support/deployments/inputs";
import { failureOf } from "../../../support/errors";
import { startPlatform } from "../../../support/platform";
import { dynamicHostOnly, Stack } from "../../../support/stack";

dynamicHostOnly(test).each(["..", "a/../b", "", "a?b", "a\nb"])("an import of %j fails the preview", async (id) => {
  const platform = await startPlatform();
  const stack = new Stack(platform);
  const { message } = await failureOf(stack.up(dockerDeployment(), stack.host(), { __import: id }));
  expect(message).toContain(`import ${JSON.stringify(id)} is not a valid Deployment ID`);
  expect(platform.requests()).toEqual([]);
});

const kinds: Record<string, PropertyMap> = {
  Deployment: dockerDeployment({ name: "agent" }),
  BulkExportDestination: { displayName: "traces", config: { bucketName: "abc" }, credentials: {} },
  BulkExport: { bulkExportDestinationId: "d", sessionId: "s" },
  ScheduledBulkExport: { bulkExportDestinationId: "d", sessionId: "s", intervalHours: 24 },
  Thread: { deploymentUrl: "https://agents.example.com" },
  Cron: { deploymentUrl: "https://agents.example.com", assistantId: "agent", schedule: "0 3 * * *" },
  Assistant: { deploymentUrl: "https://agents.example.com", graphId: "agent", name: "support" },
};

test.each(definitions.map(({ kind }) => kind))(
  "state of a %s with an ID that is a dot segment sends no request for it",
  async (kind) => {
    const platform = await startPlatform();
    const config = { tracingApiUrl: platform.url, tenantId: "11111111-1111-4111-8111-111111111111" };
    const stack = new Stack(platform, { kind, config });
    const props = { ...kinds[kind], __urn: stack.urn };
    const url = { ...("deploymentUrl" in (kinds[kind] ?? {}) && { deploymentUrl: platform.url }) };
    const host = stack.host();
    for (const act of [
      () => host.read("..", { ...props, ...url }),
      () => host.update("..", { ...props, ...url }, { ...props, ...url }),
      () => host.delete("..", { ...props, ...url }),
    ]) {
      const error = await act().then(
        () => undefined,
        (reason: Error) => reason,
      );
      // Some first read a list, which does not contain the object.
      if (error) expect(error.message).toMatch(/^\w+ "agent": /);
    }
    const routes = platform.requests().map((line) => line.replace(/\?.*/, ""));
    expect(
      routes.filter((line) => /^(POST|PATCH|DELETE)|\/v2\/?$|\/bulk-exports\/?$|\/api\/v1\/?$|\/$/.test(line)),
    ).toEqual(routes.filter((line) => line === "GET /api/v1/bulk-exports"));
  },
);
