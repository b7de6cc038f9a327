/** The languages in which `agentgraph adopt` writes a program. */
import type { Adopted } from "../types";
import type { Program } from "./declarations";
import type { Naming } from "./names";

/** Contents of files by name. */
export type Files = Readonly<Record<string, string>>;

/** Where the program is written. */
export interface ProjectLocation {
  /** Folder of the program. */
  folder: string;
  /** Working directory of the command. */
  from: string;
}

export interface Language {
  readonly naming: Naming;
  /** The file that declares the resources. */
  readonly mainFile: string;
  /** Commands that install the packages of the program. */
  readonly install: readonly string[];
  readonly commands: ImportCommands;
  /** Returns why programs in this language cannot declare a resource; undefined if they can. */
  problemOf?(inputs: Adopted["inputs"]): string | undefined;
  /** Returns the files that declare the resources. */
  sources(program: Program, location: ProjectLocation): Files;
  /** Returns the other files of the project. Those that exist are kept. */
  projectFiles(location: ProjectLocation): Files;
  /** Returns the file for `pulumi import -f`. */
  importFile(all: readonly Adopted[]): string;
}

/** How the resources get into the state of a stack. */
export interface ImportCommands {
  /** What the import requires, as a sentence. */
  requirement: string;
  preview: string;
  /** What state knows of the secrets after the import, and what the preview shows because of that. */
  secretsNote: string;
  /** What happens to values that look like secrets, but that the API does not treat as such. */
  plainTextNote?: string;
  /** What the first `pulumi up` does with the secrets of deployments, if more than the preview shows. */
  firstUpdateNote?: string;
}
