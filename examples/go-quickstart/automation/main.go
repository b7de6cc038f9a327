// Runs the program from Go, with the Automation API: `go run ./automation -plugin <folder> up`.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"

	"agentgraph-go-quickstart/quickstart"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optdestroy"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
)

func main() {
	plugin := flag.String("plugin", "", "folder with the plugin, unless it is installed")
	stackName := flag.String("stack", "dev", "name of the stack")
	flag.Parse()
	if err := run(context.Background(), *plugin, *stackName, flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, plugin, stackName, command string) error {
	const name = "agentgraph-go-quickstart"
	project := workspace.Project{
		Name:    tokens.PackageName(name),
		Runtime: workspace.NewProjectRuntimeInfo("go", nil),
	}
	if plugin != "" {
		options := workspace.PluginOptions{Name: "agentgraph", Path: plugin}
		project.Plugins = &workspace.Plugins{Providers: []workspace.PluginOptions{options}}
	}
	stack, err := auto.UpsertStackInlineSource(ctx, stackName, name, quickstart.Program, auto.Project(project))
	if err != nil {
		return err
	}
	switch command {
	case "preview":
		_, err = stack.Preview(ctx, optpreview.ProgressStreams(os.Stdout))
	case "up":
		_, err = stack.Up(ctx, optup.ProgressStreams(os.Stdout))
	case "destroy":
		_, err = stack.Destroy(ctx, optdestroy.ProgressStreams(os.Stdout))
	default:
		err = fmt.Errorf("unknown command %q; expected preview, up or destroy", command)
	}
	return err
}
