/** Formats impacts as Markdown. Paths and values are always code spans, since a fork may have chosen them. */
import type { Impact } from "../../../provider/plan/render";
import { headOf } from "../../../provider/plan/render";
import { codeSpan, formatSentence } from "../../shared/text/markdown";
import { describeConversations } from "../at-stake";
import type { Change } from "../change";

/** Items of one effect that are shown. */
const MAX_ITEMS = 20;

export const impactsMarkdown = (impacts: readonly Impact[]): string => impacts.map(impactMarkdown).join("; ");

function impactMarkdown(impact: Impact): string {
  const { paths, note, loses } = impact;
  const head = loses === undefined ? formatSentence(headOf(impact)) : `**${formatSentence(headOf(impact))}**`;
  const shown = paths.slice(0, MAX_ITEMS).map((path) => item(impact, path));
  const more = paths.length > MAX_ITEMS ? [`and ${paths.length - MAX_ITEMS} more`] : [];
  const items = [...shown, ...more].join(", ");
  return `${head}${items === "" ? "" : `: ${items}`}${note === undefined ? "" : `; ${formatSentence(note)}`}`;
}

function item({ values, reasons = {} }: Impact, path: string): string {
  const changed = values?.find((value) => value.path === path);
  const change = changed ? ` ${codeSpan(changed.before)} -> ${codeSpan(changed.after)}` : "";
  return `${codeSpan(path)}${change}${Object.hasOwn(reasons, path) ? ` (${formatSentence(reasons[path] ?? "")})` : ""}`;
}

/** Returns what its conversations are, and what becomes of them. Only a server's reason may contain anything. */
export function conversationsMarkdown({ conversations }: Pick<Change, "conversations">): string {
  const text = conversations ? describeConversations(conversations) : "";
  return text && `; ${conversations?.unknown === undefined ? `**${text}**` : formatSentence(text)}`;
}
