/** Words that this project does not use in its texts, each with what to write instead. */

/** A pattern, and what to write instead and why. */
type Rule = readonly [pattern: RegExp, instead: string];

/** For documentation, comments and printed texts. */
export const RULES: readonly Rule[] = [
  // Plain verbs.
  [/\bmend(s|ed|ing)?\b/i, "fix"],
  [/\b(tell|tells|telling)\b(?! (which|apart))/i, "return, show, report: software does not tell"],
  [/\b(goes|go|going|went) on\b/i, "continue, still running, keep waiting"],
  [/\b(take|takes|taken|took|taking)( \w+)? away\b/i, "remove, delete"],
  [
    /\b(take|takes|taken|took|taking)( (?!precedence)\w+)? over\b/i,
    "adopt (existing objects), resume (interrupted runs)",
  ],
  [/\bplanted\b|\bplants? (a|the) fault/i, "inject a fault, seed data"],
  [/\bovertak(e|es|en|ing)\b|\bovertook\b/i, "superseded by a newer revision"],
  [/\bstands? (in(?! for)|on|above|below|beside|there|at|here)\b/i, "is in, represents, replaces"],
  [/\b(bring|brings|brought) what\b/i, "install, add"],
  [/\bspel(l|ls|led|t)\b(?! correctly)/i, "name, write: terms are not spelled"],
  [/\b(speaks?|spoken) of\b/i, "mention, describe"],
  // Nouns with one meaning.
  [/\b(one|wrong|the|a) doors?\b/i, "HTTP client, server: the metaphor needs explaining"],
  [/\blook-ups?\b/i, "function (`getX`), request, search"],
  [/\bjournal\b/i, "request log"],
  [/\b(no|the|a|its|this|of|any|our|such) marks?\b(?! as)/i, "ownership marker"],
  [
    // "The service" is an AgentService.
    /\bthe (live service|services)\b(?! (account|key|provider|of pipelines))/,
    "server (the process), API (the contract), platform (the product)",
  ],
  // An agent answers a question, and people answer an agent.
  [/\banswer(ed|ing)\b|\b(server|API|platform|route|request)s?\b[^.]{0,12} answers?\b/i, "response, respond, return"],
  [/\banswers? (of|from|by) (the|a|its) (server|API|platform|route)/i, "response"],
  [/\b(revision|what|that|one|it) (still )?serves\b/i, "is live"],
  [/\bat work\b/i, "in progress, active, running"],
  [/\btwins?\b/i, "output form"],
  // Idioms that are translated.
  [/(?<!there )\bis no (?!longer|more\b|doubt|reason|way|such|need|proof|other|\d)/i, "is not a, is not a valid"],
  [/\bthere already\b/i, "already exists"],
  [/\banew\b/i, "again, from scratch"],
  [/\bfor ever\b/i, "forever, without end"],
  [/\bbe it\b/i, "including, even if"],
  [/\ball the same\b/i, "anyway, also"],
  [/\bby hand\b/i, "manually"],
  [/\bin clear\b/i, "in plain text, unencrypted"],
  [/\bsomebody\b/i, "someone"],
  [/\bwhoever\b/i, "anyone who"],
  [/\b(a|an|the) \w+ of (its|their|your|our|one's) own\b/i, "its own, a separate"],
  [/\bwithout a word\b/i, "silently"],
  [/\bby the way\b|\bas it were\b/i, "leave out"],
  [/\bdoubl(ed|ing)\b/i, "created twice, duplicated"],
  [/\bthereby\b|\bwhereby\b|\btherein\b|\bthereof\b|\bnotwithstanding\b/i, "plain English"],
  // Style.
  [/\b(do|does|did|is|are|was|were|has|have|had|ca|wo|could|would|should)n't\b/, "no contractions"],
  [/\b(it|that|there|what|let)'s\b|\b(you|they|we)'(re|ve|ll)\b/, "no contractions"],
  [
    /\b(behaviour|colour|catalogue|licence|recognis|serialis|organis|initialis|normalis|authoris|misspelt)\w*/,
    "American spelling",
  ],
  [/(?<![.\w{/-])ids?\b(?![:.=[_(-])/, "ID"],
];
