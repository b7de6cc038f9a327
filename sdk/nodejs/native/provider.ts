/** Explicit settings for the native provider, for several workspaces in one program. */
import * as pulumi from "@pulumi/pulumi";
import { checkProviderArgs } from "../program-settings";
import { settingTexts } from "../provider";
import type { ProviderArgs } from "../resources";

/**
 * Settings for resources and functions that use this provider: `{ provider }`, or `{ providers: [provider] }` for a
 * component. All settings come from its arguments; the stack configuration and the environment are ignored, except for
 * the variable that `apiKeyEnv` names.
 * @throws for an argument that is not a setting.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs, options?: pulumi.ResourceOptions) {
    checkProviderArgs(name, args);
    super("agentgraph", name, settingTexts(args), options);
  }
}
