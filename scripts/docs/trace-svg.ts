/** Draws a trace as SVG: a row for each span, with a bar on the axis of time. */
import { measure, SANS, svg, textAt } from "./svg.ts";

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

const COLORS = { engine: "#8c959f", operation: "#0969da", wait: "#bf8700", request: "#1a7f37" };
const [TEXT, MUTED, RED, GRID] = ["#1f2328", "#59636e", "#cf222e", "#d1d9e0"];
const [WIDTH, LEFT, RIGHT, ROW, TOP] = [880, 350, 90, 30, 52];
const SIZE = 13;

const sans = (text: string, size = SIZE) => measure({ text }, size);

/** @param label What the picture shows, for readers who cannot see it. */
export function traceSvg(label: string, spans: readonly DrawnSpan[]): string {
  const totalMs = Math.max(...spans.map(({ endMs }) => endMs));
  const scale = (WIDTH - LEFT - RIGHT) / totalMs;
  const x = (ms: number) => LEFT + ms * scale;
  const height = TOP + spans.length * ROW + 16;
  const seconds = Array.from({ length: Math.floor(totalMs / 1000) + 1 }, (_, second) => second);
  const axis = seconds.flatMap((second) => [
    `<path d="M${x(second * 1000).toFixed(1)} ${TOP - 10} V${height - 14}" stroke="${GRID}"/>`,
    textAt(
      { x: x(second * 1000) - 8, y: TOP - 18, width: sans(`${second} s`, 11) },
      `${second} s`,
      `font-size="11" fill="${MUTED}"`,
    ),
  ]);
  const rows = spans.flatMap((span, index) => drawRow(span, TOP + index * ROW, x));
  const frame = `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8" fill="#ffffff" stroke="${GRID}"/>`;
  return svg(WIDTH, height, label, [`<g font-family="${SANS}">`, frame, ...axis, ...rows, "</g>"]);
}

function drawRow(span: DrawnSpan, top: number, x: (ms: number) => number): string[] {
  const { name, depth, count, startMs, endMs, kind, status, isFailed, events } = span;
  const color = isFailed ? RED : COLORS[kind];
  const title = count > 1 ? `${name} (${count} times)` : name;
  const left = 16 + depth * 14;
  const width = Math.min(sans(title), LEFT - left - 12);
  const barWidth = Math.max(x(endMs) - x(startMs), 3);
  const duration =
    endMs - startMs < 1000 ? `${Math.round(endMs - startMs)} ms` : `${((endMs - startMs) / 1000).toFixed(1)} s`;
  const note = status === undefined ? duration : `${status}, ${duration}`;
  const noteWidth = sans(note, 11);
  return [
    textAt({ x: left, y: top + 14, width }, title, `font-size="${SIZE}" fill="${TEXT}"`),
    `<rect x="${x(startMs).toFixed(1)}" y="${top + 3}" width="${barWidth.toFixed(1)}" height="14" rx="2" ` +
      `fill="${color}"/>`,
    textAt(
      { x: x(startMs) + barWidth + 6, y: top + 14, width: noteWidth },
      note,
      `font-size="11" fill="${isFailed ? RED : MUTED}"`,
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
  const mark = `<path d="M${x(atMs).toFixed(1)} ${top + 3} v22" stroke="${TEXT}" stroke-width="1.5"/>`;
  const hasSpace = next === undefined || x(next) - x(atMs) > width + 6;
  if (!hasSpace) return [mark];
  return [mark, textAt({ x: x(atMs) + 4, y: top + 27, width }, name, `font-size="9" fill="${MUTED}"`)];
}
