/** Settings that are probably a mistake, although no rule forbids them. */
import { howToSet } from "./missing-settings";
import { type RequestSettings, SERVERS, type ServerName, type UrlSetting } from "./servers";

/** Something about the settings that no rule forbids. */
export interface SettingWarning {
  /** Only resources on this server have to do with it; all of them when absent. */
  server?: ServerName;
  text: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** How the paths of requests begin, which some people write at the end of the base URL too. */
const VERSION_PATHS = { controlPlaneUrl: /\/v[12]\/*$/, tracingApiUrl: /(\/api)?\/v1\/*$/ } as const;

/** Values that a server may take, and most do not. */
export function settingWarnings(
  settings: RequestSettings,
  sources: Partial<Record<string, string>>,
  explicit: boolean,
): SettingWarning[] {
  const { tenantId, apiKey, bearerToken } = settings;
  const warnings: SettingWarning[] = [];
  if (tenantId !== undefined && !UUID.test(tenantId)) {
    const text = `tenantId: ${JSON.stringify(tenantId)} is not a UUID, so the server will probably reject it (from ${sources.tenantId}).`;
    warnings.push({ text });
  }
  for (const [server, [url]] of Object.entries(SERVERS) as [ServerName, readonly [UrlSetting]][]) {
    const [versionPath] = VERSION_PATHS[url].exec(settings[url] ?? "") ?? [];
    if (versionPath === undefined) continue;
    const base = settings[url]?.slice(0, -versionPath.length);
    const text = `${url}: ${settings[url]} ends in ${versionPath.replace(/\/+$/, "")}, which every request adds itself. Did you mean ${base}? (from ${sources[url]})`;
    warnings.push({ server, text });
  }
  if (bearerToken && !apiKey) {
    const text = `apiKey: bulk exports require an API key, and only a bearer token is set. To add one, ${howToSet("apiKey", explicit)}`;
    warnings.push({ server: "tracing", text });
  }
  return warnings;
}
