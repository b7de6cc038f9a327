/** A failure that the person at the keyboard can cure: one sentence on what happened and what to do. */
export class Problem extends Error {
  /**
   * @param {string} sentence what happened and what to do now
   * @param {string} [details] the words of the tool that failed, printed above the sentence
   */
  constructor(sentence, details = "") {
    super(sentence);
    this.details = details;
  }
}

const AGAIN = "and run the same command again";

/** What tools and the system say of well-known troubles, and what a person can do about each. */
const KNOWN = [
  [
    /ENOSPC|EDQUOT|no space left on device|disk quota exceeded/i,
    `The disk is full: free some space (building the Pulumi CLI takes about 4 GB, all the rest 1 GB) ${AGAIN}.`,
  ],
  [
    /EACCES|EROFS|EPERM|permission denied|read-only file system/i,
    `A file could not be written for lack of permission: make the checkout and the cache folder writable (AGENTGRAPH_CACHE names another one) ${AGAIN}.`,
  ],
  [
    /requires go >=|invalid go version|unknown directive|toolchain not available/i,
    `This Go is too old to build the Pulumi CLI: install a current Go (https://go.dev/dl) or Pulumi itself (https://www.pulumi.com/docs/install) ${AGAIN}.`,
  ],
  [
    /can only install packages when your package.json and package-lock.json/,
    "package-lock.json does not fit package.json: run `npm install` and then `node scripts/complete-lock.mjs`, and commit both files.",
  ],
  [
    /EINTEGRITY|checksum mismatch|SECURITY ERROR/,
    `A download is not what the lock file says, so it was not used: clear the cache of the tool named above (npm or Go) ${AGAIN}.`,
  ],
  [
    /getaddrinfo|EAI_AGAIN|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ERR_SOCKET_TIMEOUT|no such host|dial tcp|i\/o timeout|network is unreachable|fetch failed/i,
    `There is no network, or no way to the package registry: check the connection or the proxy settings ${AGAIN}.`,
  ],
  [
    /\bE40[137]\b|40[137] (Unauthorized|Forbidden|Proxy Authentication)/i,
    `The package registry refused to answer: check its credentials in your npm or Go configuration ${AGAIN}.`,
  ],
];

/** The sentence for what a tool or the system said, if it is a well-known trouble. */
export function explain(words) {
  return KNOWN.find(([pattern]) => pattern.test(words))?.[1];
}

/** Any error as a Problem; undefined for one that nobody foresaw. */
export function toProblem(error) {
  if (error instanceof Problem) return error;
  const sentence = error?.syscall ? explain(`${error.code} ${error.message}`) : undefined;
  return sentence && new Problem(sentence, error.message);
}
