import com.pulumi.Pulumi;
import com.pulumi.agentgraph.Deployment;
import com.pulumi.agentgraph.DeploymentArgs;
import com.pulumi.agentgraph.inputs.AskCheckArgs;
import com.pulumi.agentgraph.inputs.CheckArgs;
import com.pulumi.agentgraph.inputs.CommandCheckArgs;
import com.pulumi.agentgraph.inputs.ConversationsCheckArgs;
import com.pulumi.agentgraph.inputs.DatasetCheckArgs;
import com.pulumi.agentgraph.inputs.DeploymentSourceRevisionConfigArgs;
import com.pulumi.agentgraph.inputs.ExpectedAnswerArgs;
import com.pulumi.agentgraph.inputs.ExpectedResponseArgs;
import com.pulumi.agentgraph.inputs.HttpCheckArgs;
import java.util.List;
import java.util.Map;

/** The deployment of story.ts, with what it declares in environment variables. */
public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            var release = System.getenv("RELEASE");
            var key = System.getenv("KEY");
            var report = Map.of("release", release, "tools", List.of("search", "order"));
            var question = Map.of("messages", List.of(Map.of("role", "user", "content", "When are you open?")));
            var agent = new Deployment("agent", DeploymentArgs.builder()
                .name("agent")
                .source("external_docker")
                .environment(Map.of("MODEL", System.getenv("MODEL")))
                .sourceRevisionConfig(DeploymentSourceRevisionConfigArgs.builder()
                    .imageUri(System.getenv("IMAGE"))
                    .build())
                .secrets(key == null ? Map.of() : Map.of("MODEL_API_KEY", key))
                .verify(
                    check().http(HttpCheckArgs.builder().path("/ok").build()).build(),
                    check().http(HttpCheckArgs.builder()
                        .path("/report")
                        .headers(Map.of("x-team", "support"))
                        .expect(ExpectedResponseArgs.builder().contains(release).json(report).build())
                        .build()).build(),
                    check().timeout("3s").ask(AskCheckArgs.builder()
                        .assistantId("support")
                        .input(question)
                        .expect(ExpectedAnswerArgs.builder().contains("from 9 to 17").build())
                        .build()).build(),
                    check().dataset(DatasetCheckArgs.builder()
                        .path("questions.jsonl")
                        .assistantId("support")
                        .minPassRate(0.75)
                        .build()).build(),
                    check().conversations(ConversationsCheckArgs.builder().build()).build(),
                    check().command(CommandCheckArgs.builder()
                        .args("node", "self-test.mjs")
                        .inherit("PATH", "AGENTGRAPH_API_KEY")
                        .build()).build())
                .build());
            ctx.export("verifiedRevisionId", agent.verifiedRevisionId());
        });
    }

    private static CheckArgs.Builder check() {
        return CheckArgs.builder().attempts(2).pause("10ms");
    }
}
