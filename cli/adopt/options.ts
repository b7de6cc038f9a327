/** Parses the options of `agentgraph adopt`. */
import { closestMatch } from "../../provider/text/did-you-mean";
import { type Options, UsageError } from "../shared/subcommand";
import type { Filter } from "./types";
import { definitionsByKind as allKinds, type Kind } from "./types";

export const parseList = (text: string): string[] =>
  text
    .split(",")
    .map((kind) => kind.trim())
    .filter(Boolean);

export function parseKinds(text: string): Kind[] {
  const knownKinds = [...allKinds().keys()];
  for (const kind of parseList(text)) {
    if (knownKinds.includes(kind)) continue;
    const suggestion = closestMatch(kind, knownKinds);
    throw new UsageError(
      `Unknown kind "${kind}"; ` +
        `${suggestion ? `did you mean "${suggestion}"?` : `expected one of ${knownKinds.join(", ")}.`}`,
    );
  }
  return parseList(text) as Kind[];
}

/** Values of --language, the default first. */
export const LANGUAGES = ["typescript", "python", "yaml"] as const;
export type LanguageName = (typeof LANGUAGES)[number];

export function parseLanguage(text: string): LanguageName {
  const language = LANGUAGES.find((name) => name === text.trim().toLowerCase());
  if (language) return language;
  const suggestion = closestMatch(text, LANGUAGES);
  throw new UsageError(
    `Unknown language "${text}"; ` +
      `${suggestion ? `did you mean "${suggestion}"?` : `expected one of ${LANGUAGES.join(", ")}.`}`,
  );
}

/** @throws UsageError if one is not an HTTP URL. */
export function parseUrls(text: string): string[] {
  const isHttp = (url: string) => /^https?:$/.test(URL.parse(url)?.protocol ?? "");
  const invalid = parseList(text).find((url) => !isHttp(url));
  if (invalid === undefined) return parseList(text);
  throw new UsageError(`Invalid URL "${invalid}"; expected https://host/path.`);
}

export const parsePairs = (text: string): [key: string, value: string][] =>
  parseList(text).map((pair) => {
    const at = pair.indexOf("=");
    if (at < 1) throw new UsageError(`Invalid value "${pair}"; expected key=value.`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });

/** The options as they are parsed. */
export interface AdoptOptions extends Options {
  out?: string;
  language?: LanguageName;
  only?: Kind[];
  deployments?: string[];
  nameContains?: string;
  deployment?: string[];
  agentUrls?: string[];
  metadata?: [key: string, value: string][];
  fromTerraform?: string;
  stack?: string;
}

/** @throws UsageError if threads are requested without a server. */
export function toFilter(options: AdoptOptions): Filter {
  const { only: onlyKinds, agentUrls = [], deployment: deployments = [] } = options;
  const only = onlyKinds ?? [...allKinds().keys()];
  const isThreadsRequested =
    options.threads === true || options.metadata !== undefined || onlyKinds?.includes("threads") === true;
  if (isThreadsRequested && deployments.length + agentUrls.length === 0) {
    throw new UsageError("To adopt threads, specify --deployment <name or ID>, or --agent-urls <URL>.");
  }
  const threadsOf = [...deployments, ...(isThreadsRequested ? agentUrls : [])];
  return {
    only: threadsOf.length > 0 ? [...new Set([...only, "threads" as const])] : only,
    deployments: options.deployments,
    nameContains: options.nameContains,
    components: options.components === true,
    includeEnded: options.includeEnded === true,
    includeOwned: options.includeOwned === true,
    agentUrls,
    threadsOf,
    metadata: Object.fromEntries(options.metadata ?? []),
  };
}
