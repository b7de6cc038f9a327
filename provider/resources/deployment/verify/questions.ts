/** The file of a dataset: one question on each line. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isPropertyMap, valueAt } from "../../../schema/schema";
import { formatIssue } from "../../../text/issue-message";
import { tryOr } from "../../../text/try-or";
import { UserError } from "../../../text/user-error";
import { type AskCheck, type Check, type DatasetCheck, question } from "../schema/verify";

export type Question = AskCheck & { line: number };

/** Enough for thousands of questions; each is a run of the agent. */
const MAX_BYTES = 20 * 1024 * 1024;

/** Returns the questions of a file. @throws UserError when it cannot be read, or a line is not a question. */
export async function readQuestions(dataset: DatasetCheck): Promise<Question[]> {
  const lines = (await readText(dataset)).split("\n").map((text, index) => ({ text: text.trim(), number: index + 1 }));
  const questions = lines
    .filter(({ text }) => text !== "")
    .map(({ text, number }) => parseQuestion(text, dataset, number));
  if (questions.length > 0) return questions;
  throw new UserError(`The dataset ${dataset.path} has no questions: write a JSON object with an input in each line.`);
}

function parseQuestion(text: string, { path, assistantId }: DatasetCheck, line: number): Question {
  const where = `${path}, line ${line}`;
  const json: unknown = tryOr(() => JSON.parse(text), undefined);
  if (json === undefined)
    throw new UserError(`The dataset ${where} is not valid JSON; expected an object with an input.`);
  if (!isPropertyMap(json))
    throw new UserError(`The dataset ${where} is not a JSON object; expected one with an input.`);
  const { data, error } = question.safeParse(json);
  const [issue] = error?.issues ?? [];
  if (!data) {
    const key = issue?.path.map(String) ?? [];
    const reason = issue && formatIssue(issue, valueAt(json, key), true);
    throw new UserError(`The dataset ${where}: ${key.join(".")} ${reason}`);
  }
  const asked = data.assistantId ?? assistantId;
  if (asked !== undefined) return { ...data, assistantId: asked, line };
  throw new UserError(`The dataset ${where} has no assistantId; declare one there, or for the dataset.`);
}

/** Returns a digest of the files of all datasets; undefined when there are none. */
export async function computeVerifyDigest(checks: readonly Check[]): Promise<string | undefined> {
  const datasets = checks.flatMap(({ dataset }) => dataset ?? []);
  if (datasets.length === 0) return undefined;
  const hash = createHash("sha256");
  for (const dataset of datasets) {
    await readQuestions(dataset);
    hash.update(JSON.stringify(await readText(dataset)));
  }
  return `sha256:${hash.digest("hex")}`;
}

async function readText({ path }: DatasetCheck): Promise<string> {
  const text = await readFile(resolve(path), "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UserError(
      `The dataset ${path} could not be read (${error.code}). Check its path, which is relative to the ` +
        "program's folder.",
    );
  });
  if (text.length > MAX_BYTES)
    throw new UserError(`The dataset ${path} is larger than 20 MiB. Each question is a run: use fewer.`);
  return text.replaceAll("\r\n", "\n");
}
