/** How npm reaches the registry on the developer's machine, for commands that run with another home folder. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const SETTINGS = ["cache", "userconfig", "registry", "proxy", "https-proxy", "noproxy", "cafile"];

/** Returns the settings as environment variables. */
export async function npmSettings(): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)("npm", ["config", "list", "--json"]);
  const settings: Record<string, unknown> = JSON.parse(stdout);
  return Object.fromEntries(
    SETTINGS.flatMap((name) => {
      const value = settings[name];
      return value ? [[`npm_config_${name.replaceAll("-", "_")}`, String(value)]] : [];
    }),
  );
}
