/** Where the files of a backup are: a folder, or a part of a bucket. */
import { UserError } from "../../text/user-error";

export interface Place {
  /** For messages: the path of a folder, or `s3://bucket/prefix`. */
  readonly name: string;
  /** What people call such a place. */
  readonly kind: "folder" | "bucket";
  /** Returns the place below this one. It exists with its first file. @param path Names between slashes. */
  at(path: string): Place;
  /** Returns the names of the files directly in it; none where it does not exist. */
  files(): Promise<string[]>;
  /** Returns the names of the places directly below it that contain something. */
  places(): Promise<string[]>;
  /** Returns a whole file, undefined where it does not exist. */
  read(file: string): Promise<Content | undefined>;
  /** Returns exactly these bytes. */
  readRange(file: string, offset: number, length: number): Promise<Buffer>;
  /** Returns the number of its bytes, undefined where it does not exist. */
  size(file: string): Promise<number | undefined>;
  stream(file: string): AsyncIterable<Uint8Array>;
  /** Writes a whole file: others see the earlier content or this. @throws ChangedError unless the condition holds. */
  write(file: string, bytes: Uint8Array, condition?: WriteCondition): Promise<void>;
  /** Begins a file that does not exist, for content of any length. @throws ChangedError when it exists. */
  create(file: string): Promise<NewFile>;
  /** Opens a file that grows by lines, and survives a kill after each. */
  openLog(file: string): Promise<Log>;
  /** Removes a file, also one that does not exist. */
  remove(file: string): Promise<void>;
  /** Removes what killed commands have left of files that they had not ended. @param isOwn By the name of the file. */
  tidy(isOwn: (file: string) => boolean): Promise<void>;
  /** Ends connections and closes files. */
  close(): Promise<void>;
}

export interface Content {
  bytes: Buffer;
  version: string;
}

/** What the file must be: absent, or of the version that was read. */
export type WriteCondition = "absent" | { version: string };

export interface NewFile {
  append(bytes: Uint8Array): Promise<void>;
  /** Makes safe what was appended, where that is possible before the end. Returns whether it is. */
  sync(): Promise<boolean>;
  /** Makes all of it safe. A file that was not ended does not count. */
  end(): Promise<void>;
  /** Ends it after a failure. What was safe before its end stays. */
  abort(): Promise<void>;
}

export interface Log {
  /** Its lines when it was opened, without one whose end is missing. */
  readonly lines: readonly string[];
  /** The line is safe when this returns. @throws ChangedError when another command writes to it. */
  append(line: string): Promise<void>;
  close(): Promise<void>;
  remove(): Promise<void>;
}

/** Another command has written the file meanwhile. */
export class ChangedError extends UserError {
  override name = "ChangedError";

  constructor(place: Pick<Place, "name">, file: string) {
    super(
      `Another command has written ${place.name}/${file} meanwhile, so this one ended. Run one command for a ` +
        "backup at a time.",
    );
  }
}
