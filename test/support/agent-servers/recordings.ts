/** What published agent servers responded: test/recordings/, which `npm run record` writes. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { byVersion, type Exchange, type RecordingHeader } from "../../../scripts/record/exchange";
import { mapTexts } from "../../../scripts/record/names";

const FOLDER = join(__dirname, "../../recordings");

export interface Recording extends RecordingHeader {
  /** Such as `python-0.16.7`. */
  name: string;
  exchanges: readonly Exchange[];
}

export function readRecordings(): Recording[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".jsonl"));
  return files.sort(byVersion).map((file) => {
    const lines = readFileSync(join(FOLDER, file), "utf8").trimEnd().split("\n");
    const [header, ...exchanges] = lines.map((line) => JSON.parse(line));
    return { ...header, name: file.replace(".jsonl", ""), exchanges };
  });
}

/** Returns a recorded value with IDs and times in place of their names: the same ID for the same name. */
export function withValues(value: unknown): unknown {
  return mapTexts(value, (text) =>
    text.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) => TIMES[name] ?? idFor(name)),
  );
}

const TIMES: Readonly<Record<string, string>> = {
  time0: "2026-11-26T00:00:00",
  time3: "2026-11-26T00:00:00.123",
  time6: "2026-11-26T00:00:00.123456",
  milliseconds: "1795651200000",
};

function idFor(name: string): string {
  const digest = createHash("sha256").update(name).digest("hex");
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}
