/** Checks whether the control plane uses the words of the setting `vocabulary` (API `0:vocabulary`). Sends only GET. */
import type { Sender } from "../../../provider/api/connection";
import { HttpError } from "../../../provider/http/errors";
import { howToSetVocabulary, VOCABULARIES, type Vocabulary } from "../../../provider/text/vocabulary";
import type { Check } from "../check";
import { hasRoute } from "../routes";

/** The number of deployments that are looked at: not all have every key. */
const MAX_DEPLOYMENTS = 20;

/** Returns the words of the server, as far as it shows them, and a problem if they differ from the setting. */
export async function checkVocabulary(
  http: Sender,
  configured: Vocabulary,
): Promise<{ spoken: Vocabulary; checks: Check[] }> {
  const [words, githost] = await Promise.all([wordsOfDeployments(http), findGithost(http, configured.githost)]);
  const known = VOCABULARIES.find((one) => one.githost === (githost ?? words.githost));
  const differs = known !== undefined && known.githost !== configured.githost;
  const spoken = {
    githost: githost ?? words.githost ?? configured.githost,
    agentgraph: words.agentgraph ?? (differs ? known.agentgraph : configured.agentgraph),
  };
  const isSame = spoken.githost === configured.githost && spoken.agentgraph === configured.agentgraph;
  return { spoken, checks: isSame ? [] : [problem(spoken, configured)] };
}

function problem(spoken: Vocabulary, configured: Vocabulary): Check {
  const listed = ({ githost, agentgraph }: Vocabulary) => `"${githost}" and "${agentgraph}"`;
  return {
    id: "vocabulary",
    status: "fix",
    message: `uses the words ${listed(spoken)}, but the setting vocabulary says ${listed(configured)}`,
    remedy: `${howToSetVocabulary(spoken)} Programs keep the neutral words "githost" and "agentgraph".`,
  };
}

/** Returns the word in the path of the route that lists integrations; undefined if none is known, or any would do. */
async function findGithost(http: Sender, configured: string): Promise<string | undefined> {
  const others = VOCABULARIES.map(({ githost }) => githost).filter((word) => word !== configured);
  const has = (word: string) => hasRoute(http, `/v1/integrations/${encodeURIComponent(word)}/install`);
  if (await has(configured)) return configured;
  const answers = await Promise.all(others.map(has));
  return others.find((_, index) => answers[index]);
}

/** Returns the words in the newest deployments: in the name of a field, and in the source of a repository. */
async function wordsOfDeployments(http: Sender): Promise<Partial<Vocabulary>> {
  const query = { limit: MAX_DEPLOYMENTS, offset: 0 };
  const response = await http.send({ method: "GET", path: "/v2/deployments", query }).catch((error: unknown) => {
    if (error instanceof HttpError) return undefined;
    throw error;
  });
  const body = response?.json;
  const deployments = (Array.isArray(body) ? body : objectAt({ body }, "body").resources) as unknown;
  const all = Array.isArray(deployments) ? deployments : [];
  const keys = all.flatMap((one) => Object.keys(objectAt(one, "source_revision_config")));
  const [, agentgraph] = keys.map((key) => /^([a-z][a-z0-9]*)_config_path$/.exec(key)).find(Boolean) ?? [];
  const ofRepository = all.find((one) => objectAt(one, "source_config").repo_url != null) as
    | { source?: unknown }
    | undefined;
  const githost = typeof ofRepository?.source === "string" ? ofRepository.source : undefined;
  return { ...(agentgraph && { agentgraph }), ...(githost && { githost }) };
}

function objectAt(value: unknown, key: string): Record<string, unknown> {
  const part = (value as Record<string, unknown> | null | undefined)?.[key];
  return typeof part === "object" && part !== null ? (part as Record<string, unknown>) : {};
}
