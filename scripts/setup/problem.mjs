/** An error that the user can fix: what failed, and what to do. */
export class Problem extends Error {
  /**
   * @param {string} sentence what failed, and what to do now
   * @param {string} [details] output of the failed tool, printed above the message
   */
  constructor(sentence, details = "") {
    super(sentence);
    this.details = details;
  }
}

const RETRY = "and run the same command again";

/** Messages of tools and of the system for known problems, and what to do about each. */
const KNOWN_PROBLEMS = [
  [
    /ENOSPC|EDQUOT|no space left on device|disk quota exceeded/i,
    `The disk is full. Free some space (about 4 GB to build the Pulumi CLI, otherwise 1 GB) ${RETRY}.`,
  ],
  [
    /EACCES|EROFS|EPERM|permission denied|read-only file system/i,
    "Permission denied. Make the checkout and the cache folder writable (AGENTGRAPH_CACHE sets another cache " +
      `folder) ${RETRY}.`,
  ],
  [
    /requires go >=|invalid go version|unknown directive|toolchain not available/i,
    "The installed Go is too old to build the Pulumi CLI. Install a current Go (https://go.dev/dl) or Pulumi " +
      `(https://www.pulumi.com/docs/install) ${RETRY}.`,
  ],
  [
    /can only install packages when your package.json and package-lock.json/,
    "package-lock.json does not match package.json. Run `npm install` and `node scripts/complete-lock.ts`, " +
      "and commit both files.",
  ],
  [
    /EINTEGRITY|checksum mismatch|SECURITY ERROR/,
    `A download does not match its checksum. Clear the cache of the tool named above (npm or Go) ${RETRY}.`,
  ],
  [
    new RegExp(
      "getaddrinfo|EAI_AGAIN|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ERR_SOCKET_TIMEOUT|" +
        "no such host|dial tcp|i/o timeout|network is unreachable|fetch failed",
      "i",
    ),
    `Cannot reach the package registry. Check the network connection and the proxy settings ${RETRY}.`,
  ],
  [
    /\bE40[137]\b|40[137] (Unauthorized|Forbidden|Proxy Authentication)/i,
    `The package registry rejected the request. Check its credentials in your npm or Go configuration ${RETRY}.`,
  ],
];

/** Returns the explanation for the output of a tool; undefined if the problem is not known. */
export function explain(output) {
  return KNOWN_PROBLEMS.find(([pattern]) => pattern.test(output))?.[1];
}

/** Converts an error to a Problem; undefined for an unexpected error. */
export function toProblem(error) {
  if (error instanceof Problem) return error;
  const sentence = error?.syscall ? explain(`${error.code} ${error.message}`) : undefined;
  return sentence && new Problem(sentence, error.message);
}
