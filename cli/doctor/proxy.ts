/** Reports through which proxy the servers are reached: people ask the wrong team when an error does not say. */
import { describeProxy, hasProxy, proxyFor, uselessExceptions } from "../../provider/http/proxy";
import type { Settings } from "../../provider/settings/settings";
import { UserError } from "../../provider/text/user-error";
import type { Check } from "../shared/check";

const id = "proxy";

/** Returns nothing where the environment names no proxy. @param settings Undefined if they are invalid. */
export function checkProxy(settings: Settings | undefined, env: NodeJS.ProcessEnv): Check[] {
  if (!hasProxy(env)) return [];
  const urls = { controlPlaneUrl: settings?.controlPlaneUrl, tracingApiUrl: settings?.tracingApiUrl };
  const lines = Object.entries(urls).flatMap(([name, url]) => (url ? [`${describeRoute(url, env)} for ${name}`] : []));
  const checks = [...new Set(lines)].map(
    (line): Check => ({ id, status: line.startsWith(INVALID) ? "fix" : "ok", message: `${id}: ${line}` }),
  );
  const useless = uselessExceptions(env);
  if (useless.length === 0) return checks;
  const remedy = "Write names of hosts, domains such as .example.com, addresses, or ranges such as 10.0.0.0/8.";
  return [...checks, { id, status: "note", message: `NO_PROXY: ${useless.join(", ")} matches no server`, remedy }];
}

const INVALID = "The environment variable";

function describeRoute(url: URL, env: NodeJS.ProcessEnv): string {
  try {
    const proxy = proxyFor(url, env);
    return proxy ? describeProxy(proxy) : "none";
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}
