/**
 * How the search of the website reads what someone pastes from a terminal: an error with IDs, addresses and names of
 * their own. VitePress passes the functions to the browser as text, so each refers to nothing outside of itself.
 */

/** A word that the index has in each section about errors, and a query for a message looks for. */
const MARKER = "pastedmessage";

/** Pages that explain messages. */
const ABOUT_ERRORS = /^(errors|troubleshooting)\.md$/;

/**
 * Returns what renders a page for the index. Messages are found in the section that explains them, by their pairs of
 * words.
 * @param messages Those of each section, by the page and the anchor.
 */
export const rendererForSearch = (messages) => (source, env, md) => {
  const marker = ABOUT_ERRORS.test(env.relativePath) ? MARKER : "";
  return md.render(source, env).replace(/<h[1-6] id="([^"]*)"[\s\S]*?<\/h[1-6]>/g, (heading, anchor) => {
    const pairs = (messages[`${env.relativePath}#${anchor}`] ?? []).flatMap(({ text }) => pairsIn(text));
    return `${heading}<p>${[marker, ...new Set(pairs)].join(" ")}</p>`;
  });
};

/** Returns the pairs of words that follow each other in a message, whose varying parts are `…`. */
const pairsIn = (message) =>
  message.split(/[\n…]/).flatMap((part) => {
    const words = part.split(/[\p{Z}\p{P}]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
    return words.slice(1).map((word, index) => `${words[index]}ǀ${word}`);
  });

/** Returns the words to search for: of a pasted message, only those that a page may contain. */
function tokenize(query) {
  const words = (text) => text.split(/[\n\r\p{Z}\p{P}]+/u).filter(Boolean);
  if (words(query).length <= 4) return words(query);
  const general = query
    .replace(/\b[a-z][\w+.-]*:\/\/\S+|\burn:\S+|(^|\s)[~.]*\/\S+/g, " ")
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, " ")
    .replace(/(["'`])(?:(?!\1).){1,60}\1/g, " ");
  const common = new Set(
    (
      "a an and are as at be but by did do does error for from has have if in is it its mean no not of on or that " +
      "the then this to was were which with you your warning"
    ).split(" "),
  );
  const all = words(general);
  const pairs = all.slice(1).map((word, index) => `${all[index]}ǀ${word}`);
  const kept = all.filter((word) => !common.has(word.toLowerCase()) && !/^\d+\w?$/.test(word));
  return kept.length > 0 ? [...new Set([...kept, ...pairs, "pastedmessage"])] : words(query);
}

export const searchOptions = {
  tokenize,
  // A pasted word is complete, and similar ones are noise.
  prefix: (_term, _index, terms) => !terms.includes("pastedmessage"),
  fuzzy: (_term, _index, terms) => (terms.includes("pastedmessage") ? false : 0.2),
  // Pages that explain come before those that list.
  boostDocument: (id) => (/\/(schema|reference)\//.test(id) ? 0.4 : /\/changelog\b/.test(id) ? 0.1 : 1),
};
