// The deployment of story.ts, with what it declares in environment variables.
package main

import (
	"os"

	"example.com/pulumi-agentgraph/sdk/go/agentgraph"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func program(ctx *pulumi.Context) error {
	release := os.Getenv("RELEASE")
	attempts, pause := pulumi.Int(2), pulumi.String("10ms")
	secrets := pulumi.StringMap{}
	if key := os.Getenv("KEY"); key != "" {
		secrets["MODEL_API_KEY"] = pulumi.String(key)
	}
	question := pulumi.Map{"messages": pulumi.Array{pulumi.Map{
		"role":    pulumi.String("user"),
		"content": pulumi.String("When are you open?"),
	}}}
	agent, err := agentgraph.NewDeployment(ctx, "agent", &agentgraph.DeploymentArgs{
		Name:        pulumi.String("agent"),
		Source:      agentgraph.DeploymentSourceExternalDocker,
		Environment: pulumi.StringMap{"MODEL": pulumi.String(os.Getenv("MODEL"))},
		SourceRevisionConfig: &agentgraph.DeploymentSourceRevisionConfigArgs{
			ImageUri: pulumi.String(os.Getenv("IMAGE")),
		},
		Secrets: secrets,
		Verify: agentgraph.CheckArray{
			&agentgraph.CheckArgs{
				Http:     &agentgraph.HttpCheckArgs{Path: pulumi.String("/ok")},
				Attempts: attempts,
				Pause:    pause,
			},
			&agentgraph.CheckArgs{
				Http: &agentgraph.HttpCheckArgs{
					Path:    pulumi.String("/report"),
					Headers: pulumi.StringMap{"x-team": pulumi.String("support")},
					Expect: &agentgraph.ExpectedResponseArgs{
						Contains: pulumi.String(release),
						Json: pulumi.Map{
							"release": pulumi.String(release),
							"tools":   pulumi.ToStringArray([]string{"search", "order"}),
						},
					},
				},
				Attempts: attempts,
				Pause:    pause,
			},
			&agentgraph.CheckArgs{
				Ask: &agentgraph.AskCheckArgs{
					AssistantId: pulumi.String("support"),
					Input:       question,
					Expect:      &agentgraph.ExpectedAnswerArgs{Contains: pulumi.String("from 9 to 17")},
				},
				Attempts: attempts,
				Pause:    pause,
				Timeout:  pulumi.String("3s"),
			},
			&agentgraph.CheckArgs{
				Dataset: &agentgraph.DatasetCheckArgs{
					Path:        pulumi.String("questions.jsonl"),
					AssistantId: pulumi.String("support"),
					MinPassRate: pulumi.Float64(0.75),
				},
				Attempts: attempts,
				Pause:    pause,
			},
			&agentgraph.CheckArgs{
				Conversations: &agentgraph.ConversationsCheckArgs{},
				Attempts:      attempts,
				Pause:         pause,
			},
			&agentgraph.CheckArgs{
				Command: &agentgraph.CommandCheckArgs{
					Args:    pulumi.ToStringArray([]string{"node", "self-test.mjs"}),
					Inherit: pulumi.ToStringArray([]string{"PATH", "AGENTGRAPH_API_KEY"}),
				},
				Attempts: attempts,
				Pause:    pause,
			},
		},
	})
	if err != nil {
		return err
	}
	ctx.Export("verifiedRevisionId", agent.VerifiedRevisionId)
	return nil
}

func main() {
	pulumi.Run(program)
}
