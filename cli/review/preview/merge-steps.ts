/** What the engine says of one resource, in several steps and by several names. */

interface Part {
  op: string;
  urn: string;
  /** The URN in the state, which an alias maps to the present one. */
  formerUrn: string | undefined;
  replaceKeys: readonly string[];
}

const isHalf = ({ op }: Part) => /-replacement$|-replaced$/.test(op);

/** Returns the present URN of what has an alias. The former one may be that of another resource by now. */
export function presentUrns(parts: readonly Part[]): (urn: string) => string {
  const declared = new Set(parts.flatMap((part) => (isHalf(part) ? [] : part.urn)));
  const present = new Map(
    parts.flatMap(({ urn, formerUrn }) =>
      formerUrn !== undefined && formerUrn !== urn && !declared.has(formerUrn) ? [[formerUrn, urn] as const] : [],
    ),
  );
  return (urn) => (declared.has(urn) ? urn : (present.get(urn) ?? urn));
}

/** Merges the steps of a resource: a replacement has one step for itself and two for its halves. */
export function mergeSteps<P extends Part>(parts: readonly P[]): P[] {
  const byUrn = Map.groupBy(parts, ({ urn }) => urn);
  return [...byUrn.values()].map((all) => {
    const [half, whole] = [all.findLast(isHalf), all.findLast((part) => !isHalf(part))];
    const part = (whole ?? half) as P;
    const keys = all.flatMap(({ replaceKeys }) => replaceKeys);
    const isReplaced = all.some(({ op }) => op === "replace" || op === "create-replacement");
    // An earlier run has replaced it, and did not delete the former object.
    if (half?.op === "delete-replaced" && !isReplaced && (whole?.op ?? "same") === "same")
      return { ...half, op: "delete" };
    // An update follows an import if the program differs from the server.
    const isImport = part.op === "update" && all.some(({ op }) => op === "import");
    const op = isImport ? "import" : whole ? part.op : "replace";
    return { ...part, op, replaceKeys: [...new Set(keys)] };
  });
}
