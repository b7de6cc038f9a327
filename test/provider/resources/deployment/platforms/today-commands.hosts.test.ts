/** Changed commands and references of a Deployment, which make a revision on the platform of today. */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { createDeployment } from "../../../../support/deployments/create";
import { dockerDeployment } from "../../../../support/deployments/inputs";
import { expectClean, stateOf } from "../../../../support/stack";

const langsmith = { config: { platform: "langsmith" } };
const declare = (installCommand: string): PropertyMap => ({
  ...{ name: "agent", source: "githost" },
  sourceConfig: {
    ...{ repoUrl: "https://git.example/team/agent", deploymentType: "dev", buildOnPush: false },
    installCommand,
  },
  sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json" },
});
const refer = (secretKey: string) => dockerDeployment({ secretReferences: { A: { secretName: "s", secretKey } } });

// @covers 2A.SourceConfig.install_command:revision, 2A.Deployment.secret_references:revision
describe("a changed command of a Deployment", () => {
  it.each([
    ["", declare("npm ci"), declare("npm i")],
    [" or reference", refer("one"), refer("two")],
    [", also the removal of the last reference,", refer("one"), dockerDeployment()],
  ])("%s is previewed as a new revision, and finished when that revision is live", async (_what, first, changed) => {
    const { platform, stack, id } = await createDeployment(first, { server: { platform: "today" }, stack: langsmith });
    await stack.diff(changed);
    expect(stack.messages.at(-1)).toMatch(/^info: new revision: (installCommand|secretReferences)/);
    const { body: before } = await platform.call("GET", `/v2/deployments/${id}`);
    await platform.addFault({ method: "PATCH", status: 200, body: before, act: true });
    expect(await stack.up(changed)).toBe("update");
    const { latest_revision_id: latest } = await platform.getDeployment(id);
    expect(latest).not.toBe(before.latest_revision_id);
    expect(stateOf(stack).outputs).toMatchObject({ latestRevisionId: latest, activeRevisionId: latest });
    await expectClean(stack, changed);
  });

  it("of which a killed run made a revision that fails is retried, not taken for that of others", async () => {
    const { platform, stack, id } = await createDeployment(declare("npm ci"), {
      server: { platform: "today" },
      stack: langsmith,
    });
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await platform.call("PATCH", `/v2/deployments/${id}`, { source_config: { install_command: "npm i" } });
    await platform.advance(60_000);
    expect(await stack.up(declare("npm i"))).toBe("update");
    expect(stack.messages.join("\n")).toContain("retrying it once with the same configuration");
    const { latest_revision_id: latest, active_revision_id: active } = await platform.getDeployment(id);
    expect(active).toBe(latest);
  });

  it("of which the server makes no revision is stored with a warning", async () => {
    const { platform, stack, id } = await createDeployment(declare("npm ci"), { stack: langsmith });
    expect(await stack.up(declare("npm i"))).toBe("update");
    expect(stack.messages.join("\n")).toContain("made no revision of the change");
    expect((await platform.getDeployment(id)).source_config.install_command).toBe("npm i");
    await expectClean(stack, declare("npm i"));
  });

  it("takes effect with the next revision, as far as is known, where nothing is known of the platform", async () => {
    const { stack } = await createDeployment(declare("npm ci"));
    expect(await stack.up(declare("npm i"))).toBe("update");
    expect(stack.messages.join("\n")).toMatch(/next revision: installCommand; some platforms make one/);
    expect(stack.messages.join("\n")).not.toContain("made no revision");
    const other = await createDeployment(refer("one"));
    await other.stack.up(dockerDeployment());
    expect(await other.platform.getDeployment(other.id)).toMatchObject({ revisions: [{}], secret_references: [] });
  });
});
