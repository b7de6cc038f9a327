/** Parses the arguments after `npm run <command> --` and prints the help, from the description of the command. */
import { parseArgs } from "node:util";
import { Problem } from "./problem.mjs";

const HELP = { help: { type: "boolean", short: "h", meaning: "show this help" } };

/**
 * Returns the values of the options by name; undefined if the help was requested and printed.
 * @param {string[]} args
 * @param {{ command: string, summary: string, options?: Record<string, { type: "string" | "boolean", form?: string,
 *   meaning: string }> }} usage `form` is how the value of an option is written in the help
 */
export function readCommandLine(args, { command, summary, options = {} }) {
  const allOptions = { ...options, ...HELP };
  const values = parse(args, command, allOptions);
  if (!values.help) return values;
  const rows = Object.entries(allOptions).map(([name, { form, meaning }]) => [
    form ? `--${name} ${form}` : `--${name}`,
    meaning,
  ]);
  const width = Math.max(...rows.map(([flag]) => flag.length));
  const list = rows.map(([flag, meaning]) => `  ${flag.padEnd(width)}  ${meaning}`);
  console.log([`Usage: ${command} [-- <options>]`, "", summary, "", "Options:", ...list].join("\n"));
  return undefined;
}

function parse(args, command, allOptions) {
  const options = Object.fromEntries(
    Object.entries(allOptions).map(([name, { type, short }]) => [name, short ? { type, short } : { type }]),
  );
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    if (!error.code?.startsWith("ERR_PARSE_ARGS")) throw error;
    throw new Problem(`${error.message.split(". ")[0]}. See \`${command} -- --help\`.`);
  }
}
