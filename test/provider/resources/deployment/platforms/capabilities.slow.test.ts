/**
 * Deployments on servers that lack optional routes: the provider reports what is missing and never treats it as
 * deleted.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, LISTENER_ID, repository, withImage } from "../../../../support/deployments/inputs";
import { createAgentFolder, internalSource } from "../../../../support/deployments/source-folder";
import { failureOf } from "../../../../support/errors";
import { type RemoteObject, startPlatform } from "../../../../support/platform";
import { Stack, stateOf } from "../../../../support/stack";

const REDEPLOY = "POST /v2/deployments/{id}/revisions/{id}/redeploy";
const moved = dockerDeployment({ sourceConfig: { listenerId: LISTENER_ID } });

/** Returns the configuration of a revision, without fields that its build added. */
function written({ source_revision_config }: RemoteObject): unknown {
  const { image_uri, ...rest } = source_revision_config;
  return rest.repo_commit_sha ? rest : source_revision_config;
}

describe.each([{ without: ["delete"] }, { interfaceOnly: true }])("on a server of %j", (options) => {
  it.each([
    ["of what cannot change", moved],
    ["that was asked for by name", dockerDeployment()],
  ])("a replacement %s fails because the name stays taken", async (_what, declared) => {
    const { platform, stack } = await startDeployment({ server: options });
    const { id, outputs } = await stack.stateAfter(dockerDeployment());
    const host = stack.host();
    await host.delete(id, outputs);
    stack.state = undefined;
    const { message } = await failureOf(stack.up(declared, host));
    expect(message).toContain(id);
    expect(message).toMatch(/does not support deletion.*the name stays taken.*another name/s);
    expect(await platform.deployments()).toHaveLength(1);
    expect(platform.requests({ method: "POST" })).toHaveLength(1);
    expect(await stack.up({ ...declared, name: "other" })).toBe("create");
  });
});

describe("on a server without a redeploy route", () => {
  it("a template is not redeployed, with a warning", async () => {
    const { platform, stack } = await startDeployment({ server: { without: ["redeploy"] } });
    const template = { source: "internal_template", name: "agent" };
    await stack.up(template);
    await stack.up({ ...template, redeployTriggers: { a: "1" } });
    expect(platform.requests({ method: "PATCH" })).toEqual([]);
    expect(stack.messages).toContainEqual(expect.stringMatching(/^warn: not redeployed: .*no revision field/));
  });

  // @covers 2A.Revision, 4A:payloads
  it.each([{ without: ["redeploy"] }, { without: ["redeploy", "revisions-post"] }, { interfaceOnly: true }])(
    "an unchanged field redeploys it (%j)",
    async (options) => {
      const { platform, stack } = await startDeployment({ server: options });
      await stack.up(dockerDeployment({ redeployTriggers: { token: "1" } }));
      await stack.up(dockerDeployment({ redeployTriggers: { token: "2" } }));
      expect(platform.requests({ method: "POST" })).toEqual(["POST /v2/deployments", REDEPLOY]);
      expect(platform.emulator.requestLog.entries({ method: "PATCH" }).map(({ body }) => body)).toEqual([
        { source_revision_config: { image_uri: "registry.example.com/agent:1.0.0" } },
      ]);
      expect((await platform.getDeployment(stateOf(stack).id)).revisions).toHaveLength(2);
    },
  );
});

describe.each([{ without: ["redeploy", "revisions-post"] }, { interfaceOnly: true }])(
  "a rollback on a server of %j",
  (options) => {
    /** The first declaration is live, the second fails and is rolled back. Returns the request and its result. */
    async function rolledBack(served: PropertyMap, failing: PropertyMap, ends = "DEPLOY_FAILED") {
      const { platform, stack } = await startDeployment({ server: options });
      const { id } = await stack.stateAfter({ ...served, rollbackOnFailure: true });
      const before = await platform.getDeployment(id);
      await platform.addFault({ revision: { ends } });
      await expect(stack.up({ ...failing, rollbackOnFailure: true })).rejects.toThrow("Rolled back");
      const after = await platform.getDeployment(id);
      expect(after.active_revision_id).toBe(after.latest_revision_id);
      expect(written(after)).toEqual(written(before));
      expect(after.revisions).toHaveLength(3);
      expect(await stack.refresh()).toBe("same");
      return { platform, stack, after, body: platform.emulator.requestLog.entries({ method: "PATCH" }).at(-1)?.body };
    }

    it("sends no field that is unchanged, even if it cannot be set", async () => {
      const at = (agentgraphConfigPath: string) => repository({}, { repoRef: undefined, agentgraphConfigPath });
      const { body } = await rolledBack(at("agentgraph.json"), at("other/agentgraph.json"), "BUILD_FAILED");
      expect(body).toEqual({ source_revision_config: { agentgraph_config_path: "agentgraph.json" } });
    });

    it("fails when it would have to remove a branch", async () => {
      const { platform, stack } = await createDeployment(repository({}, { repoRef: undefined }), { server: options });
      await platform.addFault({ revision: { ends: "BUILD_FAILED" } });
      await expect(stack.up({ ...repository({}, { repoRef: "broken" }), rollbackOnFailure: true })).rejects.toThrow(
        new RegExp(
          "BUILD_FAILED.*rollback to revision .* failed too: the previous revision had no repoRef, and " +
            "the API cannot clear it",
          "s",
        ),
      );
      expect((await platform.getDeployment(stateOf(stack).id)).revisions).toHaveLength(2);
    });

    it("restores the folder that was live", async () => {
      const folder = createAgentFolder();
      const declared = internalSource({ sourcePath: folder, rollbackOnFailure: true });
      const { platform, stack, id } = await createDeployment(declared, { server: options });
      const served = (await platform.getDeployment(id)).source_revision_config.source_tarball_path;
      writeFileSync(join(folder, "agentgraph.json"), "{ not json");
      await expect(stack.up(declared)).rejects.toThrow("Rolled back");
      expect((await platform.getDeployment(id)).source_revision_config.source_tarball_path).toBe(served);
    });
  },
);

describe("a rollback", () => {
  it.each([{}, { without: ["redeploy", "revisions-post"] }])(
    "restores what was live, not what failed before (%j)",
    async (options) => {
      const { platform, stack } = await createDeployment(dockerDeployment(), { server: options });
      await platform.addFault({ times: 2, revision: { ends: "DEPLOY_FAILED" } });
      await expect(stack.up(dockerDeployment(withImage("2")))).rejects.toThrow("failed with DEPLOY_FAILED after");
      await expect(stack.up(dockerDeployment({ ...withImage("3"), rollbackOnFailure: true }))).rejects.toThrow(
        "Rolled back",
      );
      const { id, outputs } = stateOf(stack);
      expect((await platform.getDeployment(id)).source_revision_config.image_uri).toBe(
        "registry.example.com/agent:1.0.0",
      );
      expect(outputs).toMatchObject(withImage("1.0.0"));
    },
  );

  it.each([{}, { without: ["redeploy", "revisions-post"] }])(
    "restores fields beside the revision (%j)",
    async (options) => {
      const { platform, stack } = await startDeployment({ server: options });
      const declared = (change: PropertyMap, installCommand: string): PropertyMap => ({
        ...{ source: "githost", name: "agent", rollbackOnFailure: true, ...change },
        sourceConfig: { repoUrl: "https://git.example/team/agent", installCommand },
        sourceRevisionConfig: { repoRef: "main", agentgraphConfigPath: "agentgraph.json" },
      });
      await stack.up(declared({ redeployTriggers: { a: "1" } }, "npm ci"));
      await platform.addFault({ revision: { ends: "BUILD_FAILED" } });
      await expect(stack.up(declared({ redeployTriggers: { a: "2" } }, "npm brake"))).rejects.toThrow("Rolled back");
      const remote = await platform.getDeployment(stateOf(stack).id);
      expect(remote.source_config.install_command).toBe("npm ci");
      expect(remote.revisions.map(({ status }) => status)).toEqual(["DEPLOYED", "BUILD_FAILED", "DEPLOYED"]);
    },
  );
});

it.each([{ without: ["logs", "build-logs-v1", "deploy-logs-v1"] }, { interfaceOnly: true }])(
  "a failed rollout shows where to look for its log (%j)",
  async (options) => {
    const platform = await startPlatform(options, { revision: { ends: "DEPLOY_FAILED" } });
    const { message } = await failureOf(new Stack(platform).up(dockerDeployment()));
    expect(message).toMatch(/DEPLOY_FAILED after \d+ s/);
    expect(message).toMatch(/log could not be read \(404\)\. Look at this revision in the server's own console/);
  },
);

it("a Deployment needs neither the list of revisions nor that of listeners", async () => {
  const { platform, stack } = await createDeployment(moved, {
    server: { without: ["revisions-list", "revisions-post", "listeners", "listener"] },
  });
  await stack.up({ ...moved, ...withImage("2") });
  expect(await stack.refresh()).toBe("same");
  await stack.destroy();
  expect(await platform.deployments()).toEqual([]);
});
