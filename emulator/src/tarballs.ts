import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "./errors";

/** The uploaded source tarballs by the id of their upload: files under `--data`, in memory without it. */
export class Tarballs {
  private readonly memory = new Map<string, Buffer>();
  private readonly folder: string | undefined;

  constructor(data?: string) {
    if (data === undefined) return;
    this.folder = join(data, "tarballs");
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  /** Keeps a tarball, in place of an earlier one. */
  write(id: string, content: Buffer): void {
    if (this.folder === undefined) {
      this.memory.set(id, content);
      return;
    }
    // Whoever dies in the middle of writing leaves a partial file, which never has the name of a tarball.
    const partial = join(this.folder, `${id}.partial`);
    writeFileSync(partial, content);
    renameSync(partial, this.path(this.folder, id));
  }

  read(id: string): Buffer | undefined {
    if (this.folder === undefined) return this.memory.get(id);
    try {
      return readFileSync(this.path(this.folder, id));
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Forgets all but these. */
  keepOnly(ids: readonly string[]): void {
    const kept = new Set(ids.flatMap((id) => [id, `${id}.tar.gz`]));
    for (const id of this.memory.keys()) if (!kept.has(id)) this.memory.delete(id);
    if (this.folder === undefined) return;
    for (const name of readdirSync(this.folder)) if (!kept.has(name)) rmSync(join(this.folder, name), { force: true });
  }

  private path(folder: string, id: string): string {
    return join(folder, `${id}.tar.gz`);
  }
}
