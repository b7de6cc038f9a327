/** What `main` of a command receives: the values of the options that its `usage` declares. */
export type OptionsOf<Usage extends { options: Record<string, { type: string }> }> = {
  [Name in keyof Usage["options"]]?: Usage["options"][Name]["type"] extends "boolean" ? boolean : string;
};
