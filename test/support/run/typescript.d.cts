/** Returns the code that `npm run build` makes of a file. @throws SyntaxError with the file and the line. */
export function compile(source: string, path: string): { code: string };
