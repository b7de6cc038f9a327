/** A path with `*` for any text without a slash and `**` for any text, as an expression. */
export function pathPattern(path: string): RegExp {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\*\*|\*/g, (stars) => (stars === "**" ? ".*" : "[^/]*"))}$`);
}
