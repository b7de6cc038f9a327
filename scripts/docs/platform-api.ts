/** Reads the facts of docs/platform-api/: the rows of the tables whose first column is `ID`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "docs/platform-api";
const CERTAINTIES = ["described", "recorded", "reported", "assumed"] as const;
export type Certainty = (typeof CERTAINTIES)[number];

export interface Fact {
  id: string;
  text: string;
  certainty: Certainty;
  /** The recorded servers, or the client or page that reports it, with its version or date. */
  source?: string;
  /** The type of a field. */
  type?: string;
  /** Why no test can exist. */
  reason?: string;
  /** Of an assumption: what happens where it is wrong, and the setting that changes it. */
  wrong?: { consequence: string; setting: string };
  /** The location, for messages. */
  file: string;
}

/** Returns the facts of all pages. @throws Error if a row of a table of facts is not one */
export function readFacts(root: string): Fact[] {
  const files = readdirSync(join(root, FOLDER)).map((name) => `${FOLDER}/${name}`);
  return files.flatMap((file) => factsOf(readFileSync(join(root, file), "utf8"), file));
}

/** Returns the facts of a page. @throws Error if a row of a table of facts is not one */
function factsOf(page: string, file: string): Fact[] {
  let columns: string[] = [];
  return page.split("\n").flatMap((line) => {
    if (!line.startsWith("|")) columns = [];
    else if (columns.length === 0) columns = cellsOf(line);
    else if (columns[0] === "ID" && !/^[|-]+$/.test(line)) return toFact(line, columns, file);
    return [];
  });
}

const cellsOf = (row: string) =>
  row
    .slice(1, row.lastIndexOf("|"))
    .split("|")
    .map((cell) => cell.trim());

function toFact(row: string, columns: readonly string[], file: string): Fact {
  const cells = cellsOf(row);
  const cell = (name: string) => cells[columns.indexOf(name)];
  const [, id] = /^`([^`]+)`$/.exec(cells[0] ?? "") ?? [];
  const [, text, reason] = /^(.+?)(?:\. \*No test:\* (.{20,}))?$/.exec(cell("fact") ?? cell("assumption") ?? "") ?? [];
  const [certainty, source] = columns.includes("assumption") ? ["assumed"] : (cell("certainty") ?? "").split(": ");
  const needsSource = certainty === "recorded" || certainty === "reported";
  const isComplete = id && text && cells.length === columns.length;
  if (!isComplete || !isCertainty(certainty) || needsSource !== (source !== undefined))
    throw new Error(`${file}: this row is not a fact: ${row}`);
  const type = cell("type");
  const consequence = cell("where it is wrong");
  const wrong = consequence !== undefined && { wrong: { consequence, setting: cell("setting") ?? "none" } };
  return {
    id,
    text,
    certainty,
    ...(source && { source }),
    ...(type && { type }),
    ...(reason !== undefined && { reason }),
    ...wrong,
    file,
  };
}

const isCertainty = (word: string | undefined): word is Certainty => CERTAINTIES.some((known) => known === word);

/** Whether a citation is the ID of a fact, or the beginning of several: `2A.Deployment`, `4B`. */
export const isCitable = (citation: string, facts: readonly Fact[]): boolean =>
  facts.some(({ id }) => id === citation || (id.startsWith(citation) && /^[.: /]/.test(id.slice(citation.length))));
