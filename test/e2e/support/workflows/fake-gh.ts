/**
 * Replaces the `gh` command. It stores the comments of a pull request in the file that the variable COMMENTS names, and
 * issues in the one that ISSUES names. FAILED_JOBS names a file with the failed jobs of the run.
 */

export interface Comment {
  id: number;
  body: string;
  user: { login: string };
}

export interface Issue {
  number: number;
  title: string;
  label: string;
  body: string;
}

/** Another user than the workflow. */
export const STRANGER = { login: "stranger" };

/**
 * Understands the filters of the examples: comments by their beginning and their author, and open issues by their
 * label.
 */
export const FAKE_GH = `#!/usr/bin/env node
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const args = process.argv.slice(2);
const after = (option) => args[args.indexOf(option) + 1];
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []);
const { COMMENTS = "", ISSUES = "", FAILED_JOBS = "" } = process.env;

const comment = () => {
  const comments = read(COMMENTS);
  const body = () => readFileSync(after("--field").replace("body=@", ""), "utf8");
  if (args.includes("--jq")) {
    const filter = after("--jq");
    const [, marker] = /startswith\\("(.*?)"\\)/.exec(filter);
    const [, author] = /\\.user\\.login == "(.*?)"/.exec(filter) ?? [];
    const isOfAuthor = ({ user }) => author === undefined || user.login === author;
    for (const comment of comments) if (isOfAuthor(comment) && comment.body.startsWith(marker)) console.log(comment.id);
  } else if (args.includes("PATCH")) {
    comments.find(({ id }) => args.some((arg) => arg.endsWith("/comments/" + id))).body = body();
  } else comments.push({ id: comments.length + 1, body: body(), user: { login: "github-actions[bot]" } });
  writeFileSync(COMMENTS, JSON.stringify(comments));
};

const issue = ([command, number]) => {
  const issues = read(ISSUES);
  const label = after("--label");
  if (command === "list") for (const one of issues.filter((one) => one.label === label)) console.log(one.number);
  const body = () => readFileSync(after("--body-file"), "utf8");
  if (command === "edit") issues.find((one) => String(one.number) === number).body = body();
  if (command === "create") issues.push({ number: issues.length + 1, title: after("--title"), label, body: body() });
  writeFileSync(ISSUES, JSON.stringify(issues));
};

if (args[0] === "issue") issue(args.slice(1));
else if (args.some((arg) => arg.endsWith("/jobs"))) for (const name of read(FAILED_JOBS)) console.log(name);
else if (args[0] !== "label") comment();
`;
