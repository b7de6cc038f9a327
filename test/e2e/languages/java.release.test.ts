/** A Java program with the native provider plugin, the generated SDK and the real language host. */
import { describeWithTools } from "../../support/tools";
import { succeeds } from "../support/cli";
import { steps } from "../support/events";
import { createJavaProgram, pathWith } from "../support/languages";
import { World } from "../support/world";

const world = new World();

describeWithTools("A Java program", ["maven", "pulumi-language-java"], (tools) => {
  test("deploys a service, of which a changed prompt is one version", async () => {
    const program = await createJavaProgram(await world.createFolder("java-service"));
    const stack = await world.stack({ project: "java", program, env: pathWith(tools["pulumi-language-java"]) });
    await program.file("src/main/java/App.java", serviceSource("You are the concierge."));
    const created = await succeeds(stack.up());
    expect(created.output).toMatch(/url: "http/);
    expect(steps(created).sort()).toEqual([
      ...["create support", "create support", "create support-concierge", "create support-summary-cron"],
    ]);
    await program.file("src/main/java/App.java", serviceSource("You are the night porter."));
    expect(steps(await stack.up())).toEqual(["update support-concierge"]);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });
});

const serviceSource = (prompt: string) => `import com.pulumi.Pulumi;
import com.pulumi.agentgraph.AgentService;
import com.pulumi.agentgraph.AgentServiceArgs;
import com.pulumi.agentgraph.inputs.DeploymentSourceRevisionConfigArgs;
import com.pulumi.agentgraph.inputs.ServiceAssistantArgs;
import com.pulumi.agentgraph.inputs.ServiceCronArgs;
import com.pulumi.agentgraph.inputs.ServiceDeploymentArgs;
import java.util.Map;

public class App {
  public static void main(String[] args) {
    Pulumi.run(ctx -> {
      var image = DeploymentSourceRevisionConfigArgs.builder().imageUri("registry.example.com/agent:1.0.0").build();
      var support = new AgentService("support", AgentServiceArgs.builder()
          .deployment(ServiceDeploymentArgs.builder().source("external_docker").sourceRevisionConfig(image).build())
          .assistants(Map.of("concierge",
              ServiceAssistantArgs.builder().graphId("agent").context(Map.of("prompt", "${prompt}")).build()))
          .crons(Map.of("summary",
              ServiceCronArgs.builder().assistant("concierge").schedule("0 3 * * *").enabled(false).build()))
          .build());
      ctx.export("url", support.url());
    });
  }
}
`;
