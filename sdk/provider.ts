/** Explicit settings, for several workspaces in one program. Without a Provider, settings come from the stack's config. */
import * as pulumi from "@pulumi/pulumi";
import type { ProviderArgs } from "./kinds";
import { checkProviderArgs } from "./program-settings";
import { secretSettings } from "./setting-keys";

const PACKAGE = "pulumi-nodejs";
/** Read by provider/settings/settings.ts: what carries it takes no setting from stack config or environment. */
const EXPLICIT = "agentgraph:explicitProvider";

/**
 * Settings for the resources that name it: `{ provider }`, or `{ providers: [provider] }` on a component. It takes its
 * own arguments only; nothing comes from stack config or environment (but what `apiKeyEnv` names).
 */
export class Provider extends pulumi.ProviderResource {
  /** @internal */
  readonly nameTemplate: pulumi.Input<string | undefined>;
  /** @internal As the engine hands them to the provider. */
  readonly settings: pulumi.Inputs;

  constructor(name: string, args: ProviderArgs, options?: pulumi.ResourceOptions) {
    checkProviderArgs(name, args);
    const config: pulumi.Inputs = { [EXPLICIT]: "true" };
    for (const [key, value] of Object.entries(args)) {
      if (value === undefined) continue;
      // Texts only: the engine hands settings on as they are, and JSON is what settings.ts reads.
      const text = pulumi.output(value).apply((known) => (typeof known === "string" ? known : JSON.stringify(known)));
      config[`agentgraph:${key}`] = secretSettings.has(key) ? pulumi.secret(text) : text;
    }
    super(PACKAGE, name, config, options);
    this.nameTemplate = args.nameTemplate;
    this.settings = config;
  }
}

/** The settings of a Provider for a function, in clear: that they hold an API key does not make the result a secret. */
export function settingsOf(provider: Provider): pulumi.Output<Record<string, unknown>> {
  return pulumi.unsecret(pulumi.output(provider.settings));
}

/**
 * The Provider that a function with these options uses; undefined where the settings of the stack apply.
 * @throws TypeError if it is not a Provider of this package.
 */
export function providerOf({ provider, parent }: pulumi.InvokeOptions): Provider | undefined {
  const found = provider ?? parent?.getProvider(`${PACKAGE}:x:y`);
  if (found === undefined || found instanceof Provider) return found;
  throw new TypeError("The option provider must be a Provider of pulumi-agentgraph: make one with `new Provider(…)`.");
}

/** The setting `nameTemplate` as the resource with these options sees it. */
export function nameTemplateOf(options: pulumi.CustomResourceOptions): pulumi.Input<string | undefined> {
  const provider = options.provider ?? options.parent?.getProvider(`${PACKAGE}:x:y`);
  if (provider instanceof Provider) return provider.nameTemplate;
  return new pulumi.Config("agentgraph").get("nameTemplate") ?? process.env.AGENTGRAPH_NAME_TEMPLATE;
}
