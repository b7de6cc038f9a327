/** What platforms are known to be and to do without a request: by the setting `platform`, or by the host. */
import { VOCABULARIES, type Vocabulary } from "../text/vocabulary";
import type { ServerName } from "./servers";

export const PLATFORM_NAMES = ["langsmith"] as const;
export type PlatformName = (typeof PLATFORM_NAMES)[number];

/** By feature (api/profile/features.ts), whether a server has it. */
export type KnownProfile = Readonly<Record<string, boolean>>;

export interface Platform {
  readonly title: string;
  /** Hosts that belong to it, in addition to those of `hosts`. */
  readonly domain: RegExp;
  /** Of both APIs; `$1` stands for the region, such as `eu.`. */
  readonly hosts: readonly { pattern: RegExp; controlPlane: string; tracing: string }[];
  /** The base URL that its own tools use where nothing names another. */
  readonly defaultUrl: string;
  /** Regions whose hosts have a prefix. */
  readonly regions: readonly string[];
  readonly vocabulary: Vocabulary;
  readonly profile: KnownProfile;
}

const region = String.raw`^((?:[a-z0-9-]+\.)?)`;
const MAIN = "$1api.smith.langchain.com";

export const PLATFORMS: Record<PlatformName, Platform> = {
  langsmith: {
    title: "LangSmith",
    domain: /(^|\.)langchain\.com$/,
    // API `5:base-urls`. The last one is the website, whose address people copy.
    hosts: [
      { pattern: new RegExp(String.raw`${region}api\.smith\.langchain\.com$`), controlPlane: MAIN, tracing: MAIN },
      {
        pattern: new RegExp(String.raw`${region}api\.host\.langchain\.com$`),
        controlPlane: "$1api.host.langchain.com",
        tracing: MAIN,
      },
      { pattern: new RegExp(String.raw`${region}smith\.langchain\.com$`), controlPlane: MAIN, tracing: MAIN },
    ],
    defaultUrl: "https://api.smith.langchain.com",
    regions: ["eu", "apac", "aws"],
    vocabulary: VOCABULARIES[0],
    // API `2A.SourceConfig.repo_url:moved`, `4A.DELETE:grace`, `2A.SourceConfig.install_command:revision`.
    profile: { "moves-repositories": true, "deletes-in-a-week": true, "commands-make-revisions": true },
  },
};

export type Platforms = typeof PLATFORMS;

/** Returns the platform that has a host; undefined for any other server. */
export function platformAt(url: URL | undefined, platforms: Platforms = PLATFORMS): Platform | undefined {
  if (!url) return undefined;
  return Object.values(platforms).find(
    ({ domain, hosts }) => domain.test(url.hostname) || hosts.some(({ pattern }) => pattern.test(url.hostname)),
  );
}

export const regionUrls = ({ defaultUrl, regions }: Platform): string[] => [
  defaultUrl,
  ...regions.map((name) => defaultUrl.replace("://", `://${name}.`)),
];

/** Returns the URLs of both APIs that one base URL stands for; undefined where its host is not known. */
export function knownServers(url: URL, platforms: Platforms = PLATFORMS): Record<ServerName, URL> | undefined {
  const known = Object.values(platforms)
    .flatMap(({ hosts }) => hosts)
    .find(({ pattern }) => pattern.test(url.hostname));
  if (!known) return undefined;
  const at = (host: string) => {
    const server = new URL(url.origin);
    server.hostname = url.hostname.replace(known.pattern, host);
    return server;
  };
  return { controlPlane: at(known.controlPlane), tracing: at(known.tracing) };
}

/** Whether two origins are those of one control plane: a platform may have an older and a newer host. */
export function isSameServer(one: string, other: string, platforms: Platforms = PLATFORMS): boolean {
  if (one === other) return true;
  const mainOf = (origin: string) => knownServers(new URL(origin), platforms)?.tracing.origin;
  const main = URL.canParse(one) && URL.canParse(other) ? mainOf(one) : undefined;
  return main !== undefined && main === mainOf(other);
}
