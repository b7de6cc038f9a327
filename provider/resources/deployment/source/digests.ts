/** Digests of files by path, valid while size and time are unchanged: check runs before each operation. */
export class FileDigests {
  private readonly byPath = new Map<string, { size: number; modifiedMs: number; digest: string }>();

  async get(file: FileVersion, compute: () => Promise<string>): Promise<string> {
    const { path, size, modifiedMs } = file;
    const cached = this.byPath.get(path);
    if (cached?.size === size && cached.modifiedMs === modifiedMs) return cached.digest;
    const digest = await compute();
    this.byPath.set(path, { size, modifiedMs, digest });
    return digest;
  }
}

interface FileVersion {
  /** Absolute. */
  path: string;
  /** Bytes. */
  size: number;
  modifiedMs: number;
}
