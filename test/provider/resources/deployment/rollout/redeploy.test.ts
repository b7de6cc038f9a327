/** Redeploys of the same configuration, and rollbacks: which requests they send, and what lost responses mean. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { createDeployment, revisionsOf, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, repository, withImage, withResourceSpec } from "../../../../support/deployments/inputs";
import { createAgentFolder, internalSource } from "../../../../support/deployments/source-folder";
import { failureOf } from "../../../../support/errors";
import { type Platform, startPlatform } from "../../../../support/platform";
import { startRewritingProxy } from "../../../../support/servers/rewriting-proxy";
import { Stack, stateOf } from "../../../../support/stack";

const WITHOUT_REDEPLOY = { without: ["redeploy", "revisions-post"] };
const triggered = (token: string, change: PropertyMap = {}) =>
  dockerDeployment({ redeployTriggers: { token }, ...change });
const OTHERS = { source_revision_config: { image_uri: "registry.example.com/others:1" } };
const RETRY = "warn: the latest revision had failed; retrying it once with the same configuration.";

describe("a redeploy of a Deployment", () => {
  it("after a failure warns of the retry beside any change, unlike one after a changed trigger", async () => {
    const { platform, stack } = await createDeployment(triggered("1"));
    await stack.up(triggered("2"));
    expect(stack.messages).not.toContain(RETRY);
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await failureOf(stack.up(triggered("3")));
    await stack.up(triggered("3", { rollbackOnFailure: true }));
    expect(stack.messages).toContain(RETRY);
    expect(await revisionsOf(platform, stack)).toEqual(["DEPLOYED", "DEPLOY_FAILED", "DEPLOYED", "DEPLOYED"]);
  });

  it("after a failure is of the own revision, also where others have failed with another one since", async () => {
    const { platform, stack, id } = await createDeployment();
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" }, times: 2 });
    await failureOf(stack.up(dockerDeployment(withImage("2"))));
    await platform.call("PATCH", `/v2/deployments/${id}`, OTHERS);
    await platform.advance(60_000);
    expect(await stack.up(dockerDeployment(withImage("2")))).toBe("update");
    expect((await platform.getDeployment(id)).source_revision_config.image_uri).toMatch(/agent:2$/);
    expect(stack.messages.join()).not.toContain("state does not know");
    expect(stack.messages.join()).toMatch(/had failed; retrying revision \S+, that of the last `pulumi up`, once/);
  });

  it.each<[string, PropertyMap]>([
    ["rollbackOnFailure", { rollbackOnFailure: true }],
    ["waitFor", { waitFor: "healthy" }],
    ["buildOnPush", { sourceConfig: { repoUrl: "https://git.example/team/agent", buildOnPush: false } }],
  ])("does not follow the failed push of someone else when only %s changes", async (_what, change) => {
    const { platform, stack } = await startDeployment();
    const pushed = (other: PropertyMap = {}): PropertyMap => ({ ...repository({ buildOnPush: true }), ...other });
    const { id } = await stack.stateAfter(pushed());
    await platform.addFault({ revision: { ends: "BUILD_FAILED" } });
    await platform.call("PATCH", `/v2/deployments/${id}`, { source_revision_config: { repo_ref: "main" } });
    await platform.advance(60_000);
    expect(await stack.up(pushed(change))).toBe("update");
    expect(stack.messages).toContainEqual(
      expect.stringMatching(/^warn: revision .* has failed\. It was not made by the last `pulumi up`.*not retried/),
    );
    expect(await revisionsOf(platform, stack)).toEqual(["BUILD_FAILED", "DEPLOYED"]);
    expect(await stack.up(pushed(change))).toBe("same");
  });

  it.each([
    ["reset-after", "succeeds", 2],
    ["reset-before", "fails", 1],
  ] as const)("by an update whose connection broke (%s) %s", async (connection, outcome, revisions) => {
    const { platform, stack } = await createDeployment(triggered("1"), { server: WITHOUT_REDEPLOY });
    await platform.addFault({ method: "PATCH", connection });
    const result = stack.up(triggered("2"));
    if (outcome === "succeeds") expect(await result).toBe("update");
    else await expect(result).rejects.toThrow("no response");
    expect(await revisionsOf(platform, stack)).toHaveLength(revisions);
  });

  it("of an image that the program does not declare sends the server's image", async () => {
    const { platform, stack } = await startDeployment({ server: WITHOUT_REDEPLOY });
    const declared = (token: string) => ({ source: "internal_docker", name: "agent", redeployTriggers: { token } });
    await stack.up(declared("1"));
    await platform.call("PATCH", `/v2/deployments/${stateOf(stack).id}`, {
      source_revision_config: { image_uri: "registry.example.com/pushed:7" },
    });
    await platform.advance(60_000);
    await platform.emulator.requestLog.clear();
    await stack.up(declared("2"));
    expect(platform.emulator.requestLog.entries({ method: "PATCH" }).map(({ body }) => body)).toEqual([
      { source_revision_config: { image_uri: "registry.example.com/pushed:7" } },
    ]);
  });

  it("of a deployment without a revision sends no request, with a warning", async () => {
    const { platform, stack } = await startDeployment();
    const declared = (token: string) => ({ source: "internal_docker", name: "agent", redeployTriggers: { token } });
    await stack.up(declared("1"));
    await platform.emulator.requestLog.clear();
    await stack.up(declared("2"));
    expect(platform.requests().filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect(stack.messages).toContainEqual(expect.stringMatching(/^warn: not redeployed: /));
  });
});

describe("a rollback of a Deployment", () => {
  it("shows its progress and its revision, also where a response is outdated and others' next one waits", async () => {
    const { platform, stack, id, outputs } = await createDeployment();
    const path = `/v2/deployments/${id}`;
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    const deployNext = async (): Promise<unknown> => {
      if (!stack.messages.join().includes("rolling back: DEPLOYING")) return platform.duringNextWait(deployNext);
      const { revisions, ...remote } = await platform.getDeployment(id);
      const outdated = { latest_revision_id: revisions[1]?.id, active_revision_id: outputs.activeRevisionId };
      await platform.call("PATCH", path, OTHERS);
      return platform.addFault({ method: "GET", path, status: 200, body: { ...remote, ...outdated } });
    };
    platform.duringNextWait(deployNext);
    const { message } = await failureOf(stack.up(dockerDeployment({ ...withImage("2"), rollbackOnFailure: true })));
    const { revisions } = await platform.getDeployment(id);
    expect(stack.messages.join()).toContain(`progress: rolling back to revision ${revisions[3]?.id}`);
    expect(stack.messages.join()).not.toContain("superseded");
    expect(message.split("\n").slice(-2)).toEqual([
      `Rolled back: the configuration of revision ${revisions[3]?.id} is live again as revision ${revisions[1]?.id}.`,
      "Fix the cause and run `pulumi up` again to deploy the change.",
    ]);
  });

  it("removes what the failed change added to the resourceSpec", async () => {
    const declared = (spec: PropertyMap) => dockerDeployment({ ...withResourceSpec(spec), rollbackOnFailure: true });
    const { platform, stack, id } = await createDeployment(declared({ cpu: 1 }), { server: WITHOUT_REDEPLOY });
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await expect(stack.up(declared({ cpu: 2, labels: { team: "a" } }))).rejects.toThrow("Rolled back");
    const { resource_spec: spec } = (await platform.getDeployment(id)).source_config;
    expect([spec.cpu, spec.labels ?? {}]).toEqual([1, {}]);
    stack.messages = [];
    await stack.diff(declared({ cpu: 1 }));
    expect(stack.messages).toEqual(["info: changes nothing on the server; its latest revision is live"]);
  });

  it("keeps the ownership marker on a server that masks secrets", async () => {
    const platform = await startPlatform(WITHOUT_REDEPLOY);
    const stack = new Stack(
      await startRewritingProxy(platform, (remote) => {
        remote.secrets = remote.secrets.map(({ name }) => ({ name, value: "****" }));
      }),
    );
    const declared = (value: string) => dockerDeployment({ secrets: { A: value }, rollbackOnFailure: true });
    const { id, outputs } = await stack.stateAfter(declared("1"));
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await expect(stack.up(declared("2"))).rejects.toThrow("Rolled back");
    expect((await platform.getDeployment(id)).secrets).toEqual([
      { name: "A", value: "1" },
      { name: "PULUMI_RESOURCE", value: outputs.__owner },
    ]);
  });

  it("does not follow an update without a revision, which no later up redeploys for others' either", async () => {
    const { platform, stack } = await createDeployment(dockerDeployment(), { stack: { timeouts: { update: "15s" } } });
    await platform.addFault({ path: "/agents/*/ok", status: 503, times: 10_000 });
    const declared = dockerDeployment({ waitFor: "healthy", rollbackOnFailure: true });
    const { message } = await failureOf(stack.up(declared));
    expect(message).toContain("was not healthy after 15 s");
    expect(message).not.toMatch(/roll(ed |)back/i);
    expect(await revisionsOf(platform, stack)).toHaveLength(1);
    await platform.emulator.faults.clear();
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await platform.call("PATCH", `/v2/deployments/${stateOf(stack).id}`, OTHERS);
    await platform.advance(60_000);
    await stack.up(declared);
    expect(await revisionsOf(platform, stack)).toEqual(["DEPLOY_FAILED", "DEPLOYED"]);
  });

  it.each<[string, Parameters<Platform["emulator"]["faults"]["add"]>[0]]>([
    ["failed", { revision: { ends: "DEPLOY_FAILED" } }],
    ["is not healthy", { path: "/agents/*/ok", status: 503, times: 10_000 }],
  ])("does not undo what others have deployed since the one that %s", async (_what, fault) => {
    const { platform, stack, id } = await createDeployment(dockerDeployment(), {
      stack: { timeouts: { update: "1m" } },
    });
    await platform.addFault(fault);
    platform.duringNextWait(() => platform.advance(1000));
    platform.duringNextWait(() => platform.call("PATCH", `/v2/deployments/${id}`, OTHERS));
    const declared = dockerDeployment({ ...withImage("2"), waitFor: "healthy", rollbackOnFailure: true });
    expect((await failureOf(stack.up(declared))).message).not.toMatch(/roll(ed |)back/i);
    await platform.advance(60_000);
    const { source_revision_config: live, revisions } = await platform.getDeployment(id);
    expect(live).toMatchObject(OTHERS.source_revision_config);
    expect(stateOf(stack).outputs.latestRevisionId).toBe(revisions[1]?.id);
    await platform.emulator.faults.clear();
    expect(await stack.up(declared)).toBe("update");
    expect((await platform.getDeployment(id)).source_revision_config.image_uri).toMatch(/agent:2$/);
  });

  it("does not count the revision of others that superseded it as restored and verified", async () => {
    const verify = [{ http: { path: "/info" }, attempts: 1 }];
    const { platform, stack, id, outputs } = await createDeployment(dockerDeployment({ verify }));
    await platform.addFault({ path: "/agents/*/info", status: 500 });
    const deployOther = async (): Promise<unknown> => {
      if (!stack.messages.join().includes("rolling back to")) return platform.duringNextWait(deployOther);
      await platform.call("PATCH", `/v2/deployments/${id}`, OTHERS);
      return platform.advance(60_000);
    };
    platform.duringNextWait(deployOther);
    const { message } = await failureOf(stack.up(dockerDeployment({ ...withImage("2"), verify })));
    expect(message).toMatch(/Rolled back to revision .*, but others have deployed revision .* live and not verified/);
    expect(stateOf(stack).outputs.verifiedRevisionId).toBe(outputs.verifiedRevisionId);
  });

  it("does not follow an update of a deployment that was never live", async () => {
    const { platform, stack } = await startDeployment();
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" }, times: 2 });
    await failureOf(stack.up(dockerDeployment()));
    const { message } = await failureOf(stack.up(dockerDeployment({ ...withImage("2"), rollbackOnFailure: true })));
    expect(message).not.toMatch(/rollback|Rolled back/);
    expect(await revisionsOf(platform, stack)).toHaveLength(2);
  });

  it.each<[string, PropertyMap, number]>([
    ["of a folder uploads it again with the next up", {}, 1],
    ["of a path within an unchanged folder uploads nothing", { agentgraphConfigPath: "other.json" }, 0],
  ])("%s", async (_what, change, uploads) => {
    const folder = createAgentFolder({ "other.json": '{"graphs":{"agent":"./agent.py:graph"}}' });
    const declared = (revision: PropertyMap = {}) =>
      internalSource({ sourcePath: folder, rollbackOnFailure: true }, revision);
    const { platform, stack } = await createDeployment(declared());
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    if (uploads > 0) writeFileSync(join(folder, "agent.py"), "graph = 2");
    await expect(stack.up(declared(change))).rejects.toThrow("Rolled back");
    await platform.emulator.requestLog.clear();
    await stack.up(declared());
    expect(platform.requests({ method: "PUT" })).toHaveLength(uploads);
  });

  it("to an older folder than the last one uploads the last one again with the next up", async () => {
    const folder = createAgentFolder();
    const declared = internalSource({ sourcePath: folder });
    const deploy = (content: string, change: PropertyMap = {}) => {
      writeFileSync(join(folder, "agent.py"), content);
      return stack.up({ ...declared, ...change });
    };
    const { platform, stack } = await startDeployment();
    await deploy("graph = 1");
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" }, times: 2 });
    await failureOf(deploy("graph = 2"));
    await expect(deploy("graph = 3", { rollbackOnFailure: true })).rejects.toThrow("Rolled back");
    await platform.emulator.requestLog.clear();
    await deploy("graph = 2");
    expect(platform.requests({ method: "PUT" })).toHaveLength(1);
  });
});
