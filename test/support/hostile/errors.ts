/** Words of an error that our own code did not expect. */
export const INTERNAL_ERROR = new RegExp(
  [
    /Cannot (read|set|convert|destructure)|is not (a function|iterable|a constructor)/,
    /Maximum call stack|Invalid (time value|array length|string length)|\bundefined\b|\[object |\bNaN\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** Characters that an error may have, however long the values of a response are. */
export const MAX_MESSAGE = 20_000;
