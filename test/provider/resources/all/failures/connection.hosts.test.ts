/** What a run finds out about its connection: the prefix of a self-hosted control plane, and the workspace. */
import { dockerDeployment, LISTENER_ID } from "../../../../support/deployments/inputs";
import { failureOf } from "../../../../support/errors";
import { destination } from "../../../../support/exports/destinations";
import { type Platform, startPlatform } from "../../../../support/platform";
import { startRewritingProxy } from "../../../../support/servers/rewriting-proxy";
import { Stack, startStack, stateOf } from "../../../../support/stack";

const TEAM_A = "aaaaaaaa-0000-4000-8000-000000000001";
const TEAM_B = "bbbbbbbb-0000-4000-8000-000000000002";

describe("The control plane of a self-hosted platform, whose website has all other paths,", () => {
  const PAGES = { "a page": 200, "404": 404, "405": 405 };
  /** Starts one that responds to everything else in one way. */
  const start = async (status: number) => {
    const platform = await startPlatform();
    const asked: string[] = [];
    const proxy = await startRewritingProxy(platform, () => undefined, {
      forward: (url) => url.replace(/^\/api-host/, ""),
      page: (url) => {
        asked.push(url.split("?")[0] as string);
        return url.startsWith("/api-host/") ? undefined : { status, text: "<html><title>Studio</title></html>" };
      },
    });
    const others = () => asked.filter((path) => !path.startsWith("/api-host/") && !path.startsWith("/api/v1/"));
    return { platform: { ...platform, url: proxy.url }, url: proxy.url, asked, others };
  };

  it.each(Object.entries(PAGES))("is found below its prefix where they return %s", async (_, status) => {
    const { platform, url, others } = await start(status);
    const stack = new Stack(platform, { config: { url, controlPlaneUrl: "" } });
    expect(await stack.up(dockerDeployment())).toBe("create");
    expect(others()).toEqual(["/v2/deployments"]);
    expect(stateOf(stack).outputs.__server).toMatchObject({ origin: url, path: "/api-host" });
  });

  // @covers 4A.DELETE:grace
  it("is where an earlier run found it, and keeps a name, so that a replacement begins with no deletion", async () => {
    const { platform, url, asked, others } = await start(404);
    const stack = await startStack(platform, dockerDeployment(), { config: { url, controlPlaneUrl: "" } });
    asked.length = 0;
    expect(await stack.refresh()).toBe("same");
    const moved = dockerDeployment({ sourceConfig: { listenerId: LISTENER_ID } });
    await expect(stack.up(moved)).rejects.toThrow(/keeps the name "agent" for up to a week .* another name in/);
    expect((await platform.getDeployment(stateOf(stack).id)).status).toBe("READY");
    await stack.destroy();
    expect(others()).toEqual([]);
  });

  it("is looked for in one place more, and an error says what the first one returned", async () => {
    const platform = await startPlatform();
    const page = () => ({ status: 404, text: "<html>Nothing here</html>" });
    const { url } = await startRewritingProxy(platform, () => undefined, { page });
    const stack = new Stack({ ...platform, url }, { config: { url: `${url}/agents/`, controlPlaneUrl: "" } });
    const { message } = await failureOf(stack.up(dockerDeployment()));
    expect(message).toContain("GET /v2/deployments: 404: Nothing here");
    expect(message).toContain(`server  ${url}/agents (controlPlaneUrl, from stack configuration agentgraph:url)`);
  });
});

describe("With a key that names no workspace,", () => {
  const keysOf = async (platform: Platform, workspaces: string[], organization = true) =>
    platform.emulator.seed({
      workspaces: [
        { id: TEAM_A, name: "Team A" },
        { id: TEAM_B, name: "Team B" },
      ],
      keys: [{ key: "the-key", organization, workspaces }],
    });
  const config = (platform: Platform) => ({ url: platform.url, controlPlaneUrl: "", apiKey: "the-key" });

  // @covers 5.item 4:scope-error, 4C.GET /api/v1/workspaces
  it("an error of the control plane lists those that it can see, with the line that sets one", async () => {
    const platform = await startPlatform();
    await keysOf(platform, [TEAM_A, TEAM_B]);
    const stack = new Stack(platform, { config: config(platform) });
    const { message } = await failureOf(stack.up(dockerDeployment()));
    expect(message).toContain("pulumi config set agentgraph:tenantId");
    expect(message).toContain(`    ${TEAM_A}  Team A\n    ${TEAM_B}  Team B`);
    expect(platform.requests({ method: "POST" })).toEqual([]);
  });

  it("the only one that it can see is used, for deployments and exports", async () => {
    const platform = await startPlatform();
    await keysOf(platform, [TEAM_A]);
    const stack = new Stack(platform, { config: config(platform) });
    expect(await stack.up(dockerDeployment())).toBe("create");
    expect(stateOf(stack).outputs.tenantId).toBe(TEAM_A);
    expect(await stack.up(dockerDeployment())).toBe("same");
    await keysOf(platform, [TEAM_A], false);
    const exports = new Stack(platform, { kind: "BulkExportDestination", config: config(platform) });
    expect(await exports.up(destination(platform))).toBe("create");
    expect(stateOf(exports).outputs.tenantId).toBe(TEAM_A);
  });

  it.each(["refresh", "destroy", "up"] as const)(
    "a %s by a key of another workspace keeps the state",
    async (command) => {
      const platform = await startPlatform();
      await keysOf(platform, [TEAM_A], false);
      const stack = new Stack(platform, { kind: "BulkExportDestination", config: config(platform) });
      const { id } = await stack.stateAfter(destination(platform));
      await keysOf(platform, [TEAM_B], false);
      const changed = destination(platform, { credentials: { sessionToken: "a-token-of-the-store" } });
      const { message } = await failureOf(command === "up" ? stack.up(changed) : stack[command]());
      for (const text of [`in workspace ${TEAM_A}`, TEAM_B]) expect(message).toContain(text);
      expect(stateOf(stack).id).toBe(id);
      expect(platform.requests({ method: "DELETE" })).toEqual([]);
    },
  );

  it("an export lists those that it can see", async () => {
    const platform = await startPlatform();
    await keysOf(platform, [TEAM_A, TEAM_B], false);
    const stack = new Stack(platform, { kind: "BulkExportDestination", config: config(platform) });
    await expect(stack.up(destination(platform))).rejects.toThrow(`    ${TEAM_A}  Team A\n    ${TEAM_B}  Team B`);
  });

  it("an export says that the workspace is missing where the server lists none", async () => {
    const platform = await startPlatform({ without: ["workspaces"] });
    const stack = new Stack(platform, { kind: "BulkExportDestination", config: { ...config(platform), apiKey: "k" } });
    await expect(stack.up(destination(platform))).rejects.toThrow(
      /Settings are missing: tenantId\n {2}tenantId: run `pulumi config set/m,
    );
  });
});
