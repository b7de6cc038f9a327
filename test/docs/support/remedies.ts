/**
 * Decides whether a message says what to do. It does if a sentence or clause of it begins with an imperative, or if it
 * names what is expected, what exists, or what the next `pulumi up` does.
 */

const VERBS = [
  ...["add", "adopt", "ask", "build", "change", "check", "choose", "compare", "copy", "correct", "create", "declare"],
  ...["decrypt", "delete", "deploy", "destroy", "exclude", "fix", "free", "import", "install", "make", "move", "name"],
  ...["pack", "pass", "remove", "rename", "repeat", "replace", "report", "restore", "run", "save", "set", "specify"],
  ...["start", "stop", "try", "unset", "update", "upgrade", "use", "wait", "write"],
];
const imperatives = VERBS.map((verb) => `[${verb.charAt(0).toUpperCase()}${verb.charAt(0)}]${verb.slice(1)}`).join("|");

const REMEDIES: readonly RegExp[] = [
  // After a sentence or clause, and at the beginning.
  new RegExp(`(^|[.:;,!?)…] |\\n|, or |, and )(${imperatives})\\b`),
  /\b[Dd]id you mean\b|\b[Ee]xpected |\bmust (be|have|contain|return)\b|\bit must\b/,
  /\bTo [a-z ]+(,|:)|\b[Tt]he next `pulumi up` /,
  /\b(Available|Existing deployments|It has|known values): |\blists them\b|\breads the log\b/,
];

/** Beginnings of warnings that only say what happened: nothing is to do. */
const NOTICES: readonly string[] = [
  ...["the preview shows a warning, or a check fails", "Resuming … … at …"],
  "… … …. It was removed from this stack's state only.",
  "… … at … leaves the state, because …. It was not changed.",
  'The destination … ("…") was not deleted because exports still use it.',
  'adoptExisting: destination … ("…") exists already, and this stack now manages it.',
  "Export … was not canceled, because this server does not support cancellation.",
  "…: the response does not contain what was sent, so the server probably ignores it.",
  'Deployment … ("…") is now managed by ….',
  'The conversations of … ("…") were not backed up again before its deletion',
  "The conversations in … were not restored, since keepConversations is no longer declared.",
  ...['Deployment … ("…") is being deleted, but forceDelete was not possible: …', "streamLogs: …"],
  ...["revision … was superseded by …", "revision … has failed. It was not made by the last"],
  "the latest revision had failed; ",
  "the server made no revision of the change, which takes effect with the next one.",
  "verify: only the first … threads that wait were compared. See maxThreads.",
  ...["threadId: the server assigned its own ID: ….", "ttl: the server "],
  '…: ignoreChanges: "…" names no input, so it has no effect',
];

/** Beginnings of messages that end with a remedy, or with the words of another program, which only a run shows. */
const COMPLETED: readonly string[] = [
  ...["Canceled after … of waiting for …", "Cannot read …: the file does not exist. …"],
  ...["The stack configuration could not be written: …", "More settings are missing: …", "Settings are missing: …"],
  ...["the API key belongs to workspace …", "…: … … at … …. No changes were made.", "…: …\n…\nNo changes were made."],
  "The server accepted the cron, but its response does not contain it. …",
  "Cron … at … has the ownership marker of this resource, but not its own ID in it",
  "The response to the create request contains thread …",
  "tracingProjectId is unknown, because the request to the tracing API failed: …",
  ...["the server reports no URL of its agent server.", "…: the agent server at … has no assistant …. …"],
  ...["thread … is not in the backup: …", "… was not restored: …", "The dataset …, line …: … …"],
  "Rolled back to revision …, but others have deployed revision …",
  'Deployment "…": another revision went live while the checks of revision … ran',
  'Deployment "…": the server went back to what was live before while the checks of revision … ran',
];

/** The messages that need neither a remedy nor a page. */
export const EXCEPTIONS: readonly string[] = [...NOTICES, ...COMPLETED];

export const namesRemedy = (text: string): boolean => REMEDIES.some((pattern) => pattern.test(text));
