/** What to do when a program, or a server, uses other words for the two terms that vendors name differently. */
export interface Vocabulary {
  githost: string;
  agentgraph: string;
}

const NEUTRAL: Vocabulary = { githost: "githost", agentgraph: "agentgraph" };
/** The words of known platforms. */
export const VOCABULARIES: readonly [Vocabulary, ...Vocabulary[]] = [
  { githost: "github", agentgraph: "langgraph" },
  NEUTRAL,
];

/** Returns how to set the words of a server, as a sentence. */
export const howToSetVocabulary = (vocabulary: Vocabulary): string =>
  `Run \`pulumi config set agentgraph:vocabulary '${JSON.stringify(vocabulary)}'\`, or set the environment ` +
  "variable AGENTGRAPH_VOCABULARY to this JSON.";

const isSame = (a: Vocabulary, b: Vocabulary) => a.githost === b.githost && a.agentgraph === b.agentgraph;

/** Returns what to do about a platform's word in a program, which writes the neutral one; undefined for others. */
export function neutralAdvice(word: string, expected: readonly string[], configured: Vocabulary): string | undefined {
  for (const vocabulary of [configured, ...VOCABULARIES]) {
    const neutral = toNeutral(word, vocabulary);
    if (neutral === word || !expected.includes(neutral)) continue;
    const remedy = isSame(vocabulary, configured) ? "The setting vocabulary maps it." : howToSetVocabulary(vocabulary);
    return `write "${neutral}", whatever the platform calls it. ${remedy}`;
  }
  return undefined;
}

function toNeutral(word: string, { githost, agentgraph }: Vocabulary): string {
  if (word === githost) return "githost";
  const key = word.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return key.startsWith(agentgraph) ? `agentgraph${key.slice(agentgraph.length)}` : word;
}

/** Returns the vocabulary that a server's words show; undefined if nothing contradicts the configured one. */
export function vocabularyIn(text: string, configured: Vocabulary): Vocabulary | undefined {
  return VOCABULARIES.find((other) => {
    const isOtherSource =
      /\bsource\b[^;]*(should be|must be|one of|expected)/i.test(text) &&
      quotes(text, other.githost) &&
      !quotes(text, configured.githost);
    const isOtherPath =
      configured.agentgraph !== other.agentgraph && (isRejected(text, configured) || names(text, other));
    return isOtherSource || isOtherPath;
  });
}

const quotes = (text: string, word: string) => text.includes(`'${word}'`) || text.includes(`"${word}"`);
const configPath = ({ agentgraph }: Vocabulary) => `\\b${agentgraph}(?:_config_path|ConfigPath)\\b`;
const names = (text: string, vocabulary: Vocabulary) => new RegExp(configPath(vocabulary)).test(text);
const isRejected = (text: string, vocabulary: Vocabulary) =>
  new RegExp(`${configPath(vocabulary)}[^;]*(extra|unexpected|unknown|not (a )?(permitted|allowed|known))`, "i").test(
    text,
  );
