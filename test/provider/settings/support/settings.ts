/** Reads settings as the provider does. */
import { readSettings } from "../../../../provider/settings/settings";

export const enough = { controlPlaneUrl: "https://control.example/api", apiKey: "k-secret" };

/** Settings from stack config and environment. */
export const read = (config: Record<string, unknown>, environment: Record<string, string> = {}) =>
  readSettings((key) => config[key.replace("agentgraph:", "")], environment);

export function problemOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toMatchObject({ name: "SettingsError" });
    return (error as Error).message;
  }
  throw new Error("nothing was wrong");
}
