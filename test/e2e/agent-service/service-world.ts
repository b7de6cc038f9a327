import { Program } from "../support/programs/program";
import { World } from "../support/world";

export interface ServiceOptions {
  image?: string;
  prompt?: string;
}

const PROJECT = "agent-service";
const KEY = "the-secret-key-of-a-model";
const DEFAULTS = { image: "registry.example.com/support-agent:1.0.0", prompt: "You are the concierge of a hotel." };

type Source = (options: Required<ServiceOptions> & { bucketUrl: string }) => Record<string, string>;

const javascript =
  (library: string): Source =>
  ({ image, prompt, bucketUrl }) => ({
    "Pulumi.yaml": "name: agent-service\nruntime: nodejs\n",
    "index.js": `const agentgraph = require("${library}");
const pulumi = require("@pulumi/pulumi");
const support = new agentgraph.AgentService("support", {
  deployment: {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "${image}" },
    secrets: { MODEL_API_KEY: pulumi.secret("${KEY}") },
    verify: [{ ask: { assistantId: "agent", input: { messages: [{ role: "user", content: "Breakfast?" }] } } }],
  },
  assistants: {
    concierge: { graphId: "agent", context: { model: "large-2", prompt: "${prompt}" } },
    porter: { graphId: "agent", context: { model: "small-1" } },
  },
  crons: {
    summary: {
      assistant: "concierge",
      schedule: "0 3 * * *",
      input: { messages: [{ role: "user", content: "Sum up." }] },
    },
  },
  thread: { metadata: { team: "support" } },
  nightlyExport: {
    startTime: "2026-11-01T00:00:00Z",
    destination: {
      destinationType: "s3",
      displayName: "Support lake",
      config: { bucketName: "exports", prefix: "support", endpointUrl: "${bucketUrl}" },
      credentials: { accessKeyId: "a-bucket-key", secretAccessKey: pulumi.secret("a-bucket-secret") },
    },
  },
});
exports.url = support.url;
exports.assistantIds = support.assistantIds;
`,
  });

const python: Source = ({ image, prompt, bucketUrl }) => ({
  "Pulumi.yaml": "name: agent-service\nruntime: python\n",
  "__main__.py": `import pulumi
import pulumi_agentgraph as agentgraph

support = agentgraph.AgentService(
    "support",
    deployment=agentgraph.ServiceDeploymentArgs(
        source="external_docker",
        source_revision_config={"image_uri": "${image}"},
        secrets={"MODEL_API_KEY": pulumi.Output.secret("${KEY}")},
        verify=[{"ask": {"assistant_id": "agent", "input": {"messages": [{"role": "user", "content": "Breakfast?"}]}}}],
    ),
    assistants={
        "concierge": agentgraph.ServiceAssistantArgs(
            graph_id="agent", context={"model": "large-2", "prompt": "${prompt}"}
        ),
        "porter": {"graph_id": "agent", "context": {"model": "small-1"}},
    },
    crons={
        "summary": {
            "assistant": "concierge",
            "schedule": "0 3 * * *",
            "input": {"messages": [{"role": "user", "content": "Sum up."}]},
        }
    },
    thread={"metadata": {"team": "support"}},
    nightly_export={
        "start_time": "2026-11-01T00:00:00Z",
        "destination": {
            "destination_type": "s3",
            "display_name": "Support lake",
            "config": {"bucket_name": "exports", "prefix": "support", "endpoint_url": "${bucketUrl}"},
            "credentials": {
                "access_key_id": "a-bucket-key",
                "secret_access_key": pulumi.Output.secret("a-bucket-secret"),
            },
        },
    },
)
pulumi.export("url", support.url)
pulumi.export("assistantIds", support.assistant_ids)
`,
});

const yaml: Source = ({ image, prompt, bucketUrl }) => ({
  "Pulumi.yaml": `name: agent-service
runtime: yaml
resources:
  support:
    type: agentgraph:AgentService
    properties:
      deployment:
        source: external_docker
        sourceRevisionConfig: { imageUri: "${image}" }
        secrets: { MODEL_API_KEY: { "fn::secret": ${KEY} } }
        verify:
          - ask: { assistantId: agent, input: { messages: [{ role: user, content: "Breakfast?" }] } }
      assistants:
        concierge: { graphId: agent, context: { model: large-2, prompt: "${prompt}" } }
        porter: { graphId: agent, context: { model: small-1 } }
      crons:
        summary: { assistant: concierge, schedule: 0 3 * * *, input: { messages: [{ role: user, content: Sum up. }] } }
      thread: { metadata: { team: support } }
      nightlyExport:
        startTime: "2026-11-01T00:00:00Z"
        destination:
          destinationType: s3
          displayName: Support lake
          config: { bucketName: exports, prefix: support, endpointUrl: "${bucketUrl}" }
          credentials: { accessKeyId: a-bucket-key, secretAccessKey: { "fn::secret": a-bucket-secret } }
outputs:
  url: \${support.url}
  assistantIds: \${support.assistantIds}
`,
});

const go: Source = ({ image, prompt, bucketUrl }) => ({
  "Pulumi.yaml": "name: agent-service\nruntime: go\n",
  "main.go": `package main

import (
	"example.com/pulumi-agentgraph/sdk/go/agentgraph"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func ask(content string) pulumi.Map {
	message := pulumi.Map{"role": pulumi.String("user"), "content": pulumi.String(content)}
	return pulumi.Map{"messages": pulumi.Array{message}}
}

func secret(value string) pulumi.StringOutput {
	return pulumi.ToSecret(pulumi.String(value)).(pulumi.StringOutput)
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		support, err := agentgraph.NewAgentService(ctx, "support", &agentgraph.AgentServiceArgs{
			Deployment: agentgraph.ServiceDeploymentArgs{
				Source:               pulumi.String("external_docker"),
				SourceRevisionConfig: &agentgraph.DeploymentSourceRevisionConfigArgs{ImageUri: pulumi.String("${image}")},
				Secrets:              pulumi.StringMap{"MODEL_API_KEY": secret("${KEY}")},
				Verify: agentgraph.CheckArray{&agentgraph.CheckArgs{
					Ask: &agentgraph.AskCheckArgs{AssistantId: pulumi.String("agent"), Input: ask("Breakfast?")},
				}},
			},
			Assistants: map[string]agentgraph.ServiceAssistantInput{
				"concierge": agentgraph.ServiceAssistantArgs{
					GraphId: pulumi.String("agent"),
					Context: pulumi.Map{"model": pulumi.String("large-2"), "prompt": pulumi.String("${prompt}")},
				},
				"porter": agentgraph.ServiceAssistantArgs{
					GraphId: pulumi.String("agent"),
					Context: pulumi.Map{"model": pulumi.String("small-1")},
				},
			},
			Crons: map[string]agentgraph.ServiceCronInput{
				"summary": agentgraph.ServiceCronArgs{
					Assistant: pulumi.StringRef("concierge"),
					Schedule:  pulumi.String("0 3 * * *"),
					Input:     ask("Sum up."),
				},
			},
			Thread: &agentgraph.ServiceThreadArgs{Metadata: pulumi.Map{"team": pulumi.String("support")}},
			NightlyExport: &agentgraph.ServiceScheduledBulkExportArgs{
				StartTime: pulumi.String("2026-11-01T00:00:00Z"),
				Destination: &agentgraph.ServiceBulkExportDestinationArgs{
					DestinationType: pulumi.String("s3"),
					DisplayName:     pulumi.String("Support lake"),
					Config: agentgraph.BulkExportDestinationConfigArgs{
						BucketName:  pulumi.String("exports"),
						Prefix:      pulumi.String("support"),
						EndpointUrl: pulumi.String("${bucketUrl}"),
					},
					Credentials: agentgraph.BulkExportDestinationCredentialsArgs{
						AccessKeyId:     pulumi.String("a-bucket-key"),
						SecretAccessKey: secret("a-bucket-secret"),
					},
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("url", support.Url)
		ctx.Export("assistantIds", support.AssistantIds)
		return nil
	})
}
`,
});

const LANGUAGES = {
  dynamic: javascript("pulumi-agentgraph"),
  native: javascript("pulumi-agentgraph/native"),
  python,
  yaml,
  go,
} satisfies Record<string, Source>;

export type Language = keyof typeof LANGUAGES;

/** A platform with a bucket, for programs that declare the service. */
export class ServiceWorld extends World {
  constructor() {
    super({ ...{ strict: true, speed: "instant" }, ...{ bucketKey: "a-bucket-key", bucketSecret: "a-bucket-secret" } });
  }

  async serviceStack(backend: string, env: Record<string, string> = {}) {
    const program = await Program.create(await this.createFolder(`program-${backend}`), PROJECT);
    return this.stack({ project: PROJECT, backend, program, env: { ...this.tracing, ...env } });
  }

  /** Writes the service in a language, for programs that use the native plugin of this checkout. */
  async writeService(program: Program, language: Language, options: ServiceOptions = {}): Promise<void> {
    const bucketUrl = this.emulator.bucket.url;
    const files = LANGUAGES[language]({ ...DEFAULTS, ...options, bucketUrl });
    for (const [name, text] of Object.entries(files)) await program.file(name, text);
    await program.usePlugin();
  }
}

/** The names of the resources of the service. */
export const RESOURCES = [
  ...["support", "support-concierge", "support-porter", "support-summary-cron", "support-thread"],
  ...["support-destination", "support-export"],
];

/** A secret that no state may contain. */
export const SECRETS = [KEY, "a-bucket-secret"];
