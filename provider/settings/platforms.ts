/** What platforms do that is known without a request: their profiles, by the setting `platform` or by the host. */

export const PLATFORM_NAMES = ["langsmith"] as const;
export type PlatformName = (typeof PLATFORM_NAMES)[number];

/** By feature (api/profile/features.ts), whether a server has it. */
export type KnownProfile = Readonly<Record<string, boolean>>;

const PLATFORMS: Record<PlatformName, { hosts: RegExp; profile: KnownProfile }> = {
  langsmith: {
    hosts: /(^|\.)langchain\.com$/,
    // API `2A.SourceConfig.repo_url:moved`, `4A.DELETE:grace`, `2A.SourceConfig.install_command:revision`.
    profile: { "moves-repositories": true, "deletes-in-a-week": true, "commands-make-revisions": true },
  },
};

/** Returns what is known of a server: nothing, unless the setting or its host names a platform. */
export function knownProfile(platform: PlatformName | undefined, url: URL | undefined): KnownProfile {
  const byHost = PLATFORM_NAMES.find((name) => url && PLATFORMS[name].hosts.test(url.hostname));
  const name = platform ?? byHost;
  return name === undefined ? {} : PLATFORMS[name].profile;
}
