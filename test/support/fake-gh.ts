/** Replaces the `gh` command: stores the comments of a pull request in the file that the variable COMMENTS names. */

export interface Comment {
  id: number;
  body: string;
  user: { login: string };
}

/** Another user than the workflow. */
export const STRANGER = { login: "stranger" };

/** Understands the filters of the examples: by the beginning of the body, and by the author. */
export const FAKE_GH = `#!/usr/bin/env node
const { readFileSync, writeFileSync } = require("node:fs");
const args = process.argv.slice(2);
const after = (option) => args[args.indexOf(option) + 1];
const comments = JSON.parse(readFileSync(process.env.COMMENTS, "utf8"));
const body = () => (args.includes("--body") ? after("--body") : readFileSync(after("--field").replace("body=@", ""), "utf8"));
if (args.includes("--jq")) {
  const filter = after("--jq");
  const [, marker] = /startswith\\("(.*?)"\\)/.exec(filter);
  const [, author] = /\\.user\\.login == "(.*?)"/.exec(filter) ?? [];
  const isOfAuthor = ({ user }) => author === undefined || user.login === author;
  for (const comment of comments) if (isOfAuthor(comment) && comment.body.startsWith(marker)) console.log(comment.id);
} else if (args.includes("PATCH")) {
  comments.find(({ id }) => args.some((arg) => arg.endsWith("/comments/" + id))).body = body();
} else comments.push({ id: comments.length + 1, body: body(), user: { login: "github-actions[bot]" } });
writeFileSync(process.env.COMMENTS, JSON.stringify(comments));
`;
