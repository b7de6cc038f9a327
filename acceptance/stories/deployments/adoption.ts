/** A deployment that others created moves into a program: adopted, imported, and the first preview is empty. */
import { steps } from "../../engine/events.ts";
import { createDeployment } from "../fixture.ts";
import { expect, expectSteps, expectSuccess, type Story } from "../story.ts";

export const adoption: Story = {
  name: "adopt",
  group: "deployments",
  // Programs of other hosts are adopted in languages that need more tools.
  hosts: ["dynamic"],
  lacks: ({ server, options }) =>
    !server.controlPlane ? "no AGENTGRAPH_URL" : options.image ? undefined : "--image was not given",
  creates: () => ({ text: "1 deployment", deployments: 1, rollouts: 1 }),
  tell: async (told) => {
    const secret = told.run.env.ACCEPTANCE_SECRET ?? "";
    await told.step("create a deployment by direct requests", () =>
      createDeployment(told, [{ name: "ACCEPTANCE_SECRET", value: secret }]),
    );
    const stack = await told.stack();
    const secrets = await told.step("agentgraph adopt", async () => {
      const args = ["--out", ".", "--force", "--only", "deployments", "--deployments", told.name, "--json"];
      const adopted = await stack.agentgraph("adopt", ...args);
      expectSuccess(adopted, "agentgraph adopt");
      const report = JSON.parse(adopted.stdout);
      expect(report.resources.length === 1, "one resource is adopted", adopted.stdout);
      expect(!adopted.output.includes(secret), "adopt prints no secret");
      return report.secrets as { key: string }[];
    });
    await told.step("import", async () => {
      for (const { key } of secrets) await stack.runOrThrow("config", "set", "--secret", key, secret);
      const imported = await stack.runOrThrow(
        ...["import", "--file", "import.json", "--generate-code=false", "--protect=false", "--yes", "--skip-preview"],
      );
      expect(imported.includes("1 imported"), "one resource is imported", imported);
    });
    await told.step("an empty first preview", async () => {
      const preview = await stack.preview("--refresh");
      expectSuccess(preview, "pulumi preview --refresh");
      expectSteps(steps(preview.events), [], preview.output);
    });
    await told.step("destroy", async () => expectSuccess(await stack.destroy(), "pulumi destroy"));
  },
};
