/** What the project says of an item: the fact that describes it, or why nothing here uses it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Fact, readFacts } from "../docs/platform-api.ts";

/** An entry of toolchain/optional/watch/known.json: the fact, or the reason why nothing here uses the items. */
export interface Known {
  /** Items, as a regular expression. */
  items: string;
  /** Only of these packages. Default: all. */
  packages?: string[];
  fact?: string;
  reason?: string;
  /** The pattern is wide, so it explains only items that someone accepted into the inventory: a new one is unknown. */
  onlyListed?: boolean;
}

export interface Verdict {
  status: "fact" | "unused" | "unknown";
  /** The ID of the fact, or the reason. */
  text: string;
}

const ROUTE = /^\d+[A-C]?\.(GET|POST|PATCH|PUT|DELETE) ([^ :]+)/;
/** Objects whose fields have facts of their own. A field of another object is known by no fact. */
const OBJECTS = ["Assistant", "Cron", "Thread"];

/** @param isListed Whether the inventory has the item, or someone accepts it now. */
export type Judge = (item: string, packageName: string, isListed: boolean) => Verdict;

export const readKnown = (root: string): Known[] =>
  JSON.parse(readFileSync(join(root, "toolchain/optional/watch/known.json"), "utf8"));

export const readJudge = (root: string): Judge => judgeBy(readFacts(root), readKnown(root));

export function judgeBy(facts: readonly Fact[], known: readonly Known[]): Judge {
  const index = facts.map(indexed);
  const entries = known.map((entry) => ({ ...entry, pattern: new RegExp(`^(?:${entry.items})$`) }));
  return (item, packageName, isListed) => {
    const fact = index.find((one) => describes(one, neutral(item)));
    if (fact) return { status: "fact", text: fact.id };
    const entry = entries.find(
      ({ pattern, packages = [packageName], onlyListed = false }) =>
        pattern.test(item) && packages.includes(packageName) && (isListed || !onlyListed),
    );
    if (entry?.fact) return { status: "fact", text: entry.fact };
    return entry?.reason ? { status: "unused", text: entry.reason } : { status: "unknown", text: "" };
  };
}

/** The facts have neutral words for those of a vendor. */
const neutral = (text: string) => text.replaceAll("langgraph", "agentgraph").replaceAll("github", "githost");
const withoutNames = (path: string) => path.replace(/\{[^}]*\}/g, "{}");

/** A fact with what an item is looked up by. */
interface IndexedFact {
  id: string;
  /** `GET /threads/{}`, of a fact about a route. */
  route: string | undefined;
  words: ReadonlySet<string>;
}

function indexed({ id, text }: Fact): IndexedFact {
  const [, method, path = ""] = ROUTE.exec(id) ?? [];
  const words = new Set(`${id} ${text}`.split(/[`.:/\s]+/).flatMap((word) => [word, word.toLowerCase()]));
  return { id, route: method && `${method} ${withoutNames(path)}`, words };
}

function describes({ id, route, words }: IndexedFact, item: string): boolean {
  const [kind = "", first = "", second = "", third = ""] = item.split(" ");
  if (kind === "route") return route === `${first} ${second}`;
  if (kind === "path") return route?.split(" ")[1] === first;
  if (kind === "query") return route === `${first} ${second}` && words.has(third);
  if (kind !== "field" && !first.includes("=")) return words.has(first);
  const object = OBJECTS.find((one) => first.startsWith(one));
  if (!object) return false;
  const isOfObject = id.includes(object) || id.includes(`/${object.toLowerCase()}s`) || id.includes("Superstep");
  return isOfObject && words.has(first.split(/[.=]/).pop() ?? "");
}
