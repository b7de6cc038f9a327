// The program that `pulumi up` runs.
package main

import (
	"agentgraph-go-quickstart/quickstart"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(quickstart.Program)
}
