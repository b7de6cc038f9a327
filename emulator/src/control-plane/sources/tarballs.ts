import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "../../runtime/context";
import { errorCode } from "../../runtime/errors";

/** The uploaded source tarballs, stored as files named by upload ID. */
export class Tarballs {
  private readonly folder: string;

  constructor({ folder }: Pick<Context, "folder">) {
    this.folder = join(folder, "tarballs");
  }

  /** Stores a tarball, replacing an earlier one. */
  write(id: string, content: Buffer): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    // A process killed while writing leaves a partial file, which never has the name of a tarball.
    const partial = join(this.folder, `${id}.partial`);
    writeFileSync(partial, content);
    renameSync(partial, this.path(id));
  }

  read(id: string): Buffer | undefined {
    try {
      return readFileSync(this.path(id));
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Deletes all other tarballs. */
  deleteExcept(ids: readonly string[]): void {
    const kept = new Set(ids.map((id) => `${id}.tar.gz`));
    if (!existsSync(this.folder)) return;
    for (const name of readdirSync(this.folder)) if (!kept.has(name)) rmSync(join(this.folder, name), { force: true });
  }

  private path(id: string): string {
    return join(this.folder, `${id}.tar.gz`);
  }
}
