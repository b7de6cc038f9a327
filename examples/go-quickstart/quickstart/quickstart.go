// Package quickstart declares an agent from a container image, an assistant, and a conversation.
package quickstart

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"example.com/pulumi-agentgraph/sdk/go/agentgraph"
)

// Program declares the resources.
func Program(ctx *pulumi.Context) error {
	// Change the image and run `pulumi up` again to roll out a new revision.
	agent, err := agentgraph.NewDeployment(ctx, "support-agent", &agentgraph.DeploymentArgs{
		Source: pulumi.String("external_docker"),
		SourceConfig: &agentgraph.DeploymentSourceConfigArgs{
			ResourceSpec: &agentgraph.ResourceSpecArgs{
				MinScale: pulumi.Int(1),
				MaxScale: pulumi.Int(2),
				Cpu:      pulumi.Float64(0.5),
				MemoryMb: pulumi.Int(1024),
			},
		},
		SourceRevisionConfig: &agentgraph.DeploymentSourceRevisionConfigArgs{
			ImageUri: pulumi.String("registry.example.com/support-agent:1.0.0"),
		},
		Secrets: pulumi.StringMap{"MODEL_API_KEY": pulumi.String("not-a-real-key")},
	})
	if err != nil {
		return err
	}

	// What runs are configured with. A changed context needs no new revision.
	support, err := agentgraph.NewAssistant(ctx, "support", &agentgraph.AssistantArgs{
		DeploymentId: agent.ID(),
		GraphId:      pulumi.String("echo"),
		Context:      pulumi.Map{"prefix": pulumi.String("Support: ")},
	})
	if err != nil {
		return err
	}

	// The conversation keeps its history when the image changes.
	welcome, err := agentgraph.NewThread(ctx, "welcome", &agentgraph.ThreadArgs{
		DeploymentId: agent.ID(),
		Metadata:     pulumi.Map{"graph_id": pulumi.String("echo"), "purpose": pulumi.String("welcome")},
	})
	if err != nil {
		return err
	}

	ctx.Export("id", agent.ID())
	ctx.Export("url", agent.Url)
	ctx.Export("revision", agent.ActiveRevisionId)
	ctx.Export("assistant", support.ID())
	ctx.Export("thread", welcome.ID())
	return nil
}
