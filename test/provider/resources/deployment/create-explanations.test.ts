/** What a rejected create of a Deployment means: the words of the platform's own server, and the next step. */
import { startDeployment } from "../../../support/deployments/create";
import { dockerDeployment } from "../../../support/deployments/inputs";
import { failureOf } from "../../../support/errors";

// @covers 2A.Deployment.agent:one, 2A.SourceConfig.deployment_type:required
it.each<[number, string, RegExp]>([
  [409, "A deployment already exists for this agent environment.", /Import that deployment, or declare another/],
  [409, "A tracing project with this name already exists.", /rename or delete that tracing project/],
  [409, "A deployment with this name already exists.", /keeps the name until then: choose another one/],
  [400, "Scale to zero deployments are not supported in AWS environments", /another sourceConfig\.deploymentType/],
  [400, "Cloud deployment_type and GitHub build_on_push must be supplied", /"dev", "prod" \(dedicated\) or "dev_zero"/],
  [400, "template_id is required for internal_template", /requires sourceConfig\.templateId/],
  [403, "The limit of free deployments of this workspace is reached", /free slot of the workspace is taken/],
  [409, "The free slot is in use by another deployment", /free slot of the workspace is taken/],
])("a create that is rejected with %i and %j says what to do, and nothing is created", async (status, detail, hint) => {
  const { platform, stack } = await startDeployment();
  await platform.emulator.faults.add({ method: "POST", path: "/v2/deployments", status, body: { detail } });
  const { message } = await failureOf(stack.up(dockerDeployment()));
  expect(message).toContain(`POST /v2/deployments: ${status}: ${detail}\n`);
  expect(message).toMatch(hint);
  expect(message).toContain("Nothing was created.");
  expect([stack.state, await platform.deployments()]).toEqual([undefined, []]);
});
