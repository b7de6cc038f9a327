import type { PropertyMap } from "../../../../../provider/schema/schema";
import {
  dockerDeployment,
  LISTENER_ID,
  repository,
  withImage,
  withResourceSpec,
} from "../../../../support/deployments/inputs";
import { interrupted } from "../../../../support/deployments/interrupted";
import { createAgentFolder, internalSource } from "../../../../support/deployments/source-folder";
import { type RemoteObject, startPlatform } from "../../../../support/platform";
import { startRewritingProxy } from "../../../../support/servers/rewriting-proxy";
import { expectClean, Stack, stateOf } from "../../../../support/stack";

const specOf = (remote: RemoteObject) => remote.source_config.resource_spec;

describe("Deployment: a resumed create applies the current declaration:", () => {
  it("fields, labels and secrets that were added, changed or are no longer declared", async () => {
    const { platform, stack, id } = await interrupted(
      {},
      dockerDeployment({ ...withResourceSpec({ cpu: 1, labels: { team: "a" } }), secrets: { A: "1", B: "2" } }),
    );
    const sourceConfig = { resourceSpec: { cpu: 2, dbStorageGi: 9 }, customUrl: "https://a.example" };
    const declared = dockerDeployment({ sourceConfig, secrets: { A: "1" } });
    await stack.up(declared);
    expect(stateOf(stack)).toMatchObject({ id, failed: false });
    const remote = await platform.getDeployment(id);
    expect(specOf(remote)).toMatchObject({ cpu: 2, db_storage_gi: 9 });
    expect(specOf(remote).labels ?? undefined).toBeUndefined();
    expect(remote.source_config.custom_url).toBe("https://a.example");
    expect(remote.secrets.map(({ name }) => name).sort()).toEqual(["A", "PULUMI_RESOURCE"]);
    await expectClean(stack, declared);
  });

  it("the folder, whose content the server does not return", async () => {
    const { platform, stack, id } = await interrupted(
      {},
      internalSource({ sourcePath: createAgentFolder({ "agent.py": "graph = 1" }) }),
    );
    const fixed = internalSource({ sourcePath: createAgentFolder({ "agent.py": "graph = 2" }) });
    await stack.up(fixed);
    const { revisions, active_revision_id } = await platform.getDeployment(id);
    expect(revisions).toHaveLength(2);
    expect(active_revision_id).toBe(revisions[0]?.id);
    expect(platform.requests({ method: "PUT" })).toHaveLength(2);
    expect(await stack.up(fixed)).toBe("same");
  });

  it("a trigger, once, because nothing shows for which trigger the latest revision was deployed", async () => {
    const { platform, stack, id } = await interrupted({}, dockerDeployment({ redeployTriggers: { token: "1" } }));
    await stack.up(dockerDeployment({ redeployTriggers: { token: "2" } }));
    expect((await platform.getDeployment(id)).revisions).toHaveLength(2);
    expect(await stack.up(dockerDeployment({ redeployTriggers: { token: "2" } }))).toBe("same");
  });

  it("and stores only confirmed inputs when the server rejects it, so that the next up sends the rest", async () => {
    const { platform, stack, id } = await interrupted({}, dockerDeployment());
    await platform.addFault({ method: "PATCH", status: 409, body: { detail: "not now" } });
    const declared = dockerDeployment({ ...withImage("2"), ...withResourceSpec({ cpu: 2 }), waitFor: "deployed" });
    await expect(stack.up(declared)).rejects.toThrow("not now");
    const { outputs } = stateOf(stack);
    expect(outputs).toMatchObject({ ...dockerDeployment(), __unready: true });
    expect(outputs).not.toMatchObject(withResourceSpec({ cpu: 2 }));
    await stack.diff(declared);
    expect(stack.messages.at(-1)).toMatch(/^info: new revision: .*imageUri.*resourceSpec.cpu/);
    expect(await stack.up(declared)).toBe("update");
    const remote = await platform.getDeployment(id);
    expect([specOf(remote).cpu, remote.source_revision_config.image_uri]).toEqual([2, "registry.example.com/agent:2"]);
  });

  it("without a request when the server already has all of it", async () => {
    const declared = dockerDeployment({ ...withResourceSpec({ cpu: 1, memoryMb: 1024 }), secrets: { A: "1" } });
    const { platform, stack } = await interrupted({}, declared);
    await stack.up(declared);
    expect(platform.requests({ method: "PATCH" })).toEqual([]);
  });
});

describe("Deployment: an import", () => {
  const imported = (stack: Stack, id: string, declared: PropertyMap) =>
    stack.up(declared, stack.host(), { __import: id });

  it("stores nothing that the server did not return, and the next up sends it, as the preview shows", async () => {
    const platform = await startPlatform();
    const silent = await startRewritingProxy(platform, (one) => {
      one.source_config.install_command = null;
    });
    await new Stack(platform).up(repository());
    const [{ id = "" } = {}] = await platform.deployments();
    const stack = new Stack(silent);
    const declared = repository({ installCommand: "npm ci" });
    await imported(stack, id, declared);
    expect(stack.messages).toContainEqual(
      expect.stringMatching(
        /^warn: import: the server does not return sourceConfig.installCommand, .*next `pulumi up`/,
      ),
    );
    await stack.diff(declared);
    expect(stack.messages.at(-1)).toMatch(/^info: takes effect with the next revision: installCommand; some/);
    expect(await stack.up(declared)).toBe("update");
    expect((await platform.getDeployment(id)).source_config.install_command).toBe("npm ci");
    await expectClean(stack, declared);
  });

  it("keeps a namespace that the server does not return", async () => {
    const platform = await startPlatform();
    const silent = await startRewritingProxy(platform, (one) => {
      one.source_config.listener_config = null;
    });
    const declared = dockerDeployment({
      sourceConfig: { listenerId: LISTENER_ID, listenerConfig: { k8sNamespace: "agents" } },
    });
    await new Stack(platform).up(declared);
    const [{ id = "" } = {}] = await platform.deployments();
    const stack = new Stack(silent);
    await imported(stack, id, declared);
    expect(await stack.up(declared)).toBe("same");
  });
});
