/** Explicit settings, for several workspaces in one program. */
import * as pulumi from "@pulumi/pulumi";
import { checkProviderArgs } from "./program-settings";
import type { ProviderArgs } from "./resources";
import { secretSettings } from "./setting-keys";

const PACKAGE = "pulumi-nodejs";
/** Marks explicit settings: provider/settings/settings.ts then ignores the stack configuration and the environment. */
const EXPLICIT = "agentgraph:explicitProvider";

/**
 * Settings for resources and functions that use this provider: `{ provider }`, or `{ providers: [provider] }` for a
 * component. All settings come from its arguments; the stack configuration and the environment are ignored, except for
 * the variable that `apiKeyEnv` names, and those of `streamLogs` and `requestLog`.
 * @throws for an argument that is not a setting.
 */
export class Provider extends pulumi.ProviderResource {
  /** @internal Settings in the form in which the engine passes them to the provider. */
  readonly settings: pulumi.Inputs;

  constructor(name: string, args: ProviderArgs, options?: pulumi.ResourceOptions) {
    checkProviderArgs(name, args);
    const settings = Object.entries(settingTexts(args)).map(([key, text]) => [`agentgraph:${key}`, text]);
    const config: pulumi.Inputs = { [EXPLICIT]: "true", ...Object.fromEntries(settings) };
    super(PACKAGE, name, config, options);
    this.settings = config;
  }
}

/** Returns settings as the engine passes them: as texts, of which provider/settings parses those that are JSON. */
export function settingTexts(args: ProviderArgs): pulumi.Inputs {
  const texts = Object.entries(args)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]): [string, pulumi.Output<string>] => {
      const text = pulumi
        .output(value)
        .apply((resolved) => (typeof resolved === "string" ? resolved : JSON.stringify(resolved)));
      return [key, secretSettings.has(key) ? pulumi.secret(text) : text];
    });
  return Object.fromEntries(texts);
}

/**
 * Returns the settings of a Provider for a function, not marked secret: an API key in them does not make the result
 * secret.
 */
export function settingsOf(provider: Provider): pulumi.Output<Record<string, unknown>> {
  return pulumi.unsecret(pulumi.output(provider.settings));
}

/**
 * Returns the Provider for a function with these options; undefined if the settings of the stack apply.
 * @throws TypeError if it is not a Provider of this package.
 */
export function providerOf({ provider, parent }: pulumi.InvokeOptions): Provider | undefined {
  const candidate = provider ?? parent?.getProvider(`${PACKAGE}:x:y`);
  if (candidate === undefined || candidate instanceof Provider) return candidate;
  throw new TypeError(
    "The option provider must be a Provider of pulumi-agentgraph. Create one with `new agentgraph.Provider(...)`.",
  );
}
