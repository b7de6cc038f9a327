/** A folder that contains backups. Only its owner can read what is written into it. */
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UserError } from "../../text/user-error";
import { LineQueue, wholeLines } from "./log";
import { ChangedError, type Content, type Log, type NewFile, type Place, type WriteCondition } from "./place";

const MODE = 0o600;
/** What becomes a file by a rename. */
const DRAFT = /\.[0-9a-f]{8}\.partial$/;

export class Folder implements Place {
  readonly kind = "folder";
  private readonly opened = new Map<string, Promise<FileHandle>>();

  constructor(readonly name: string) {}

  at(path: string): Folder {
    return new Folder(join(this.name, path));
  }

  async files(): Promise<string[]> {
    return (await this.entries()).filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  }

  async places(): Promise<string[]> {
    return (await this.entries()).filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }

  private entries() {
    return attempt(this.name, () => readdir(this.name, { withFileTypes: true })).catch(unlessAbsent([]));
  }

  async read(file: string): Promise<Content | undefined> {
    const path = this.path(file);
    const bytes = await attempt(path, () => readFile(path)).catch(unlessAbsent(undefined));
    return bytes && { bytes, version: createHash("sha256").update(bytes).digest("hex") };
  }

  async readRange(file: string, offset: number, length: number): Promise<Buffer> {
    const path = this.path(file);
    return attempt(path, async () => {
      const opened = this.opened.get(file) ?? open(path, "r");
      this.opened.set(file, opened);
      const { bytesRead, buffer } = await (await opened).read(Buffer.alloc(length), 0, length, offset);
      if (bytesRead < length) throw new FileError("EOF", `${path}: its end is missing. Copy the backup again.`);
      return buffer;
    });
  }

  async size(file: string): Promise<number | undefined> {
    return (await attempt(this.path(file), () => stat(this.path(file))).catch(unlessAbsent(undefined)))?.size;
  }

  async *stream(file: string): AsyncGenerator<Uint8Array> {
    const path = this.path(file);
    try {
      yield* createReadStream(path);
    } catch (error) {
      throw toFileError(path, error);
    }
  }

  async write(file: string, bytes: Uint8Array, condition?: WriteCondition): Promise<void> {
    if (condition !== undefined) {
      const expected = condition === "absent" ? undefined : condition.version;
      if ((await this.read(file))?.version !== expected) throw new ChangedError(this, file);
    }
    const draft = `${file}.${randomUUID().slice(0, 8)}.partial`;
    const written = await this.create(draft);
    try {
      await written.append(bytes);
      await written.end();
      await attempt(this.path(file), () => rename(this.path(draft), this.path(file)));
    } catch (error) {
      await this.remove(draft).catch(() => undefined);
      throw error;
    }
  }

  async create(file: string): Promise<NewFile> {
    const path = this.path(file);
    const handle = await this.openNew(file, "wx");
    return {
      append: (bytes) => attempt(path, () => handle.appendFile(bytes)),
      sync: async () => {
        await attempt(path, () => handle.datasync());
        return true;
      },
      end: async () => {
        await attempt(path, () => handle.datasync()).finally(() => handle.close());
      },
      abort: () => handle.close(),
    };
  }

  async openLog(file: string): Promise<Log> {
    const path = this.path(file);
    const { bytes = Buffer.alloc(0) } = (await this.read(file)) ?? {};
    const text = bytes.toString("utf8");
    // A kill may have left half a line.
    const isCut = text !== "" && !text.endsWith("\n");
    let size = bytes.length;
    let handle: FileHandle | undefined;
    // It is created with the first line: a command that is refused leaves none.
    const queue = new LineQueue(async (lines) => {
      handle ??= await this.openNew(file, "a");
      const opened = handle;
      const added = Buffer.from(size === bytes.length && isCut ? `\n${lines}` : lines);
      await attempt(path, async () => {
        const found = await opened.stat();
        if (found.size !== size || found.nlink === 0) throw new ChangedError(this, file);
        await opened.appendFile(added);
        await opened.datasync();
      });
      size += added.length;
    });
    const close = async () => {
      await queue.end();
      await handle?.close();
      handle = undefined;
    };
    const remove = async () => {
      await close();
      await this.remove(file);
    };
    return { lines: wholeLines(text), append: (line) => queue.append(line), close, remove };
  }

  async remove(file: string): Promise<void> {
    await attempt(this.path(file), () => rm(this.path(file), { force: true }));
  }

  async tidy(isOwn: (file: string) => boolean): Promise<void> {
    const drafts = (await this.files()).filter((name) => DRAFT.test(name) && isOwn(name.replace(DRAFT, "")));
    for (const name of drafts) await this.remove(name);
  }

  async close(): Promise<void> {
    for (const opened of this.opened.values()) await (await opened.catch(() => undefined))?.close();
    this.opened.clear();
  }

  private async openNew(file: string, flags: "wx" | "a"): Promise<FileHandle> {
    const path = this.path(file);
    await attempt(this.name, () => createFolder(dirname(path)));
    return attempt(path, () => open(path, flags, MODE)).catch((error: unknown) => {
      if (error instanceof FileError && error.code === "EEXIST") throw new ChangedError(this, file);
      throw error;
    });
  }

  private path(file: string): string {
    return join(this.name, file);
  }
}

/**
 * Creates a folder with those above it. The recursive form of Node.js never ends in a file system that creates no
 * folder and says that the path does not exist, such as one that mounts on demand.
 */
async function createFolder(path: string): Promise<void> {
  const create = () =>
    mkdir(path, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
      // Not every system says EEXIST of a folder that exists, such as the root of a drive or of a read-only disk.
      const found = await stat(path).catch(() => undefined);
      if (!found?.isDirectory()) throw error;
    });
  await create().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" || dirname(path) === path) throw error;
    await createFolder(dirname(path));
    await create();
  });
}

class FileError extends UserError {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not access it",
  EPERM: "this user may not access it",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file system allows no larger file",
  ENOTDIR: "a part of its path is a file, not a folder",
  EISDIR: "it is a folder",
  ENOENT: "it does not exist",
  EIO: "the disk reports an error",
};

/** @throws FileError that names the path. */
const attempt = <T>(path: string, operation: () => Promise<T>): Promise<T> =>
  operation().catch((error: unknown) => {
    throw toFileError(path, error);
  });

function toFileError(path: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof UserError) return error;
  return new FileError(code, `${path}: ${REASONS[code] ?? message} (${code}).`);
}

const unlessAbsent =
  <T>(absent: T) =>
  (error: unknown): T => {
    if (error instanceof FileError && error.code === "ENOENT") return absent;
    throw error;
  };
