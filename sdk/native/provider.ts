/** Explicit settings for the native provider, for several workspaces in one program. */
import * as pulumi from "@pulumi/pulumi";
import { checkProviderArgs } from "../program-settings";
import type { ProviderArgs } from "../resources";
import { secretSettings } from "../setting-keys";

/**
 * Settings for resources and functions that use this provider: `{ provider }`, or `{ providers: [provider] }` for a
 * component. All settings come from its arguments; the stack configuration and the environment are ignored, except for the
 * variable that `apiKeyEnv` names.
 * @throws for an argument that is not a setting.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs, options?: pulumi.ResourceOptions) {
    checkProviderArgs(name, args);
    const settings = Object.entries(args).map(([key, value]): [string, pulumi.Input<unknown>] => {
      // The engine passes only strings; the provider parses JSON.
      const text = pulumi
        .output(value)
        .apply((resolved) =>
          resolved === undefined || typeof resolved === "string" ? resolved : JSON.stringify(resolved),
        );
      return [key, secretSettings.has(key) ? pulumi.secret(text) : text];
    });
    super("agentgraph", name, Object.fromEntries(settings), options);
  }
}
