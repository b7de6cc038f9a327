/** Draws a trace as SVG: a row for each span, with a bar on the axis of time. */
import { measure, NARROW, textAt, themedSvg } from "./svg.ts";

/** A span, or several of one name that follow each other. Times are in milliseconds from the beginning of the trace. */
export interface DrawnSpan {
  name: string;
  depth: number;
  count: number;
  startMs: number;
  endMs: number;
  kind: "engine" | "operation" | "wait" | "request";
  /** The HTTP status of a request. */
  status?: number;
  isFailed: boolean;
  events: { name: string; atMs: number }[];
}

const COLORS = { engine: "gray", operation: "blue", wait: "yellow", request: "green" };
const [RIGHT, TOP, SIZE] = [90, 52, 13];

interface Layout {
  width: number;
  /** Where the bars begin, in pixels from the left. */
  left: number;
  row: number;
  /** How much lower a bar is than its name. */
  drop: number;
}
const WIDE: Layout = { width: 880, left: 350, row: 30, drop: 0 };
const NARROW_LAYOUT: Layout = { width: NARROW, left: 24, row: 52, drop: 20 };

const sans = (text: string, size = SIZE) => measure({ text }, size);

/** @param label What the picture shows, for readers who cannot see it. */
export function traceSvg(label: string, spans: readonly DrawnSpan[], isNarrow = false): string {
  const layout = isNarrow ? NARROW_LAYOUT : WIDE;
  const { width, left, row } = layout;
  const totalMs = Math.max(...spans.map(({ endMs }) => endMs));
  const scale = (width - left - RIGHT) / totalMs;
  const x = (ms: number) => left + ms * scale;
  const height = TOP + spans.length * row + 16;
  const seconds = Array.from({ length: Math.floor(totalMs / 1000) + 1 }, (_, second) => second);
  const axis = seconds.flatMap((second) => [
    `<path d="M${x(second * 1000).toFixed(1)} ${TOP - 10} V${height - 14}" class="line-border"/>`,
    textAt(
      { x: x(second * 1000) - 8, y: TOP - 18, width: sans(`${second} s`, 11) },
      `${second} s`,
      `font-size="11" class="muted"`,
    ),
  ]);
  const rows = spans.flatMap((span, index) => drawRow(span, { top: TOP + index * row, x, layout }));
  const frame = `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" class="paper line-border"/>`;
  return themedSvg(width, height, label, [frame, ...axis, ...rows]);
}

interface Place {
  /** Where the row begins, in pixels from the top. */
  top: number;
  x: (ms: number) => number;
  layout: Layout;
}

function drawRow(span: DrawnSpan, { top: rowTop, x, layout }: Place): string[] {
  const { name, depth, count, startMs, endMs, kind, status, isFailed, events } = span;
  const color = isFailed ? "red" : COLORS[kind];
  const top = rowTop + layout.drop;
  const space = layout.drop > 0 ? layout.width - 16 : layout.left - 12;
  const title = count > 1 ? `${name} (${count} times)` : name;
  const left = 16 + depth * 14;
  const width = Math.min(sans(title), space - left);
  const barWidth = Math.max(x(endMs) - x(startMs), 3);
  const duration =
    endMs - startMs < 1000 ? `${Math.round(endMs - startMs)} ms` : `${((endMs - startMs) / 1000).toFixed(1)} s`;
  const note = status === undefined ? duration : `${status}, ${duration}`;
  const noteWidth = sans(note, 11);
  return [
    textAt({ x: left, y: rowTop + 14, width }, title, `font-size="${SIZE}" class="text halo line-paper"`),
    `<rect x="${x(startMs).toFixed(1)}" y="${top + 3}" width="${barWidth.toFixed(1)}" height="14" rx="2" ` +
      `class="${color}"/>`,
    textAt(
      { x: x(startMs) + barWidth + 6, y: top + 14, width: noteWidth },
      note,
      `font-size="11" class="${isFailed ? "red" : "muted"}"`,
    ),
    ...events.flatMap((event, index) => drawEvent(event, { top, x, next: events[index + 1]?.atMs })),
  ];
}

/** Draws the moment of an event, and its name if there is space until the next one. */
function drawEvent(
  { name, atMs }: DrawnSpan["events"][number],
  { top, x, next }: { top: number; x: (ms: number) => number; next: number | undefined },
): string[] {
  const width = sans(name, 9);
  const mark = `<path d="M${x(atMs).toFixed(1)} ${top + 3} v22" class="line-text" stroke-width="1.5"/>`;
  const hasSpace = next === undefined || x(next) - x(atMs) > width + 6;
  if (!hasSpace) return [mark];
  return [mark, textAt({ x: x(atMs) + 4, y: top + 27, width }, name, `font-size="9" class="muted"`)];
}
