import type { PropertyMap } from "../../../provider/schema/schema";
import { tracingSettings } from "../../support/exports/tracing";
import { PluginClient } from "../../support/hosts/plugin-client";
import type { Platform } from "../../support/platform";

/** Starts a plugin with the settings of a platform. */
export async function configuredPlugin(platform: Platform, settings: PropertyMap = {}): Promise<PluginClient> {
  const plugin = await PluginClient.start(platform.clock);
  await plugin.configure({
    ...{ controlPlaneUrl: platform.url, ...tracingSettings(platform), apiKey: "key-of-the-plugin" },
    ...settings,
  });
  return plugin;
}
