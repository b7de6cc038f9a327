/** What a restore has written, so that one that was killed continues and doubles nothing. */
import { type FileHandle, open, readFile } from "node:fs/promises";

export interface Line {
  id: string;
  /** `begin`: it may be on the server in parts. `done`: it is there as a whole. `failed`: it is not there. */
  state: "begin" | "done" | "failed";
  /** Of a thread: what was written. */
  digest?: string;
  /** Of a cron: its ID on the server. */
  created?: string;
  level?: string;
  losses?: string[];
  ranAgain?: string[];
}

export class Journal {
  private readonly lines = new Map<string, Line>();

  private file: Promise<FileHandle> | undefined;

  private constructor(
    private readonly path: string,
    /** Whether the last line may be half of one. */
    private readonly isCut: boolean,
  ) {}

  /** The file is created with the first note: a restore that is refused leaves none. */
  static async open(path: string): Promise<Journal> {
    const text = await readFile(path, "utf8").catch(() => "");
    const journal = new Journal(path, text !== "" && !text.endsWith("\n"));
    for (const line of text.split("\n")) journal.read(line);
    return journal;
  }

  get(id: string): Line | undefined {
    return this.lines.get(id);
  }

  /** It is safe on the disk when this returns. */
  async note(line: Line): Promise<void> {
    this.lines.set(line.id, line);
    this.file ??= this.create();
    const file = await this.file;
    await file.appendFile(`${JSON.stringify(line)}\n`);
    await file.datasync();
  }

  async close(): Promise<void> {
    await (await this.file)?.close();
  }

  private async create(): Promise<FileHandle> {
    const file = await open(this.path, "a", 0o600);
    if (this.isCut) await file.appendFile("\n");
    return file;
  }

  private read(text: string): void {
    try {
      const line = JSON.parse(text) as Line;
      if (typeof line.id === "string") this.lines.set(line.id, line);
    } catch {
      // Half a line was not noted.
    }
  }
}
