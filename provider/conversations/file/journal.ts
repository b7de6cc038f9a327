/** What a restore has written, so that one that was killed continues and doubles nothing. */
import { type FileHandle, open, readFile } from "node:fs/promises";

interface Line {
  id: string;
  /** `begin`: it may be on the server in parts. `done`: it is there as a whole. */
  state: "begin" | "done";
  level?: string;
  losses?: string[];
  ranAgain?: string[];
}

export class Journal {
  private readonly lines = new Map<string, Line>();

  private constructor(private readonly file: FileHandle) {}

  static async open(path: string): Promise<Journal> {
    const text = await readFile(path, "utf8").catch(() => "");
    const journal = new Journal(await open(path, "a", 0o600));
    for (const line of text.split("\n")) journal.read(line);
    // The last line may be half of one.
    if (text !== "" && !text.endsWith("\n")) await journal.file.appendFile("\n");
    return journal;
  }

  get(id: string): Line | undefined {
    return this.lines.get(id);
  }

  /** It is safe on the disk when this returns. */
  async note(line: Line): Promise<void> {
    this.lines.set(line.id, line);
    await this.file.appendFile(`${JSON.stringify(line)}\n`);
    await this.file.datasync();
  }

  close(): Promise<void> {
    return this.file.close();
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
