import type { ComponentChildren } from "preact";
import { linkTo } from "../data/route";
import { formatDateTime, formatRelative, visible } from "./format";

/** Text from a client: isolated, so that its direction does not affect what surrounds it. */
export function Text({ children, class: className }: { children: string; class?: string }) {
  return <bdi class={className}>{visible(children)}</bdi>;
}

/** An identifier in a fixed-width font. */
export function Code({ children }: { children: string }) {
  return <code>{visible(children)}</code>;
}

interface TimeProps {
  at: string | number;
  now: number;
}

/** How long ago something was, or how far ahead; the date, the time and the zone appear under the pointer. */
export function Ago({ at, now }: TimeProps) {
  return (
    <time class="minor" dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
      {formatRelative(at, now)}
    </time>
  );
}

/** Date, time and zone, and how long ago or ahead that is. */
export function Time({ at, now, timeZone }: TimeProps & { timeZone?: string }) {
  return (
    <time dateTime={new Date(at).toISOString()}>
      {formatDateTime(at, timeZone)} <span class="minor">{formatRelative(at, now)}</span>
    </time>
  );
}

/** A value as formatted JSON. Long values scroll, also by keyboard. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="json" aria-label={`${label} as JSON`} tabIndex={0}>
      <pre>{visible(text)}</pre>
    </section>
  );
}

/** A part of a view that is one value. */
export function JsonSection({ title, value }: { title: string; value: unknown }) {
  return (
    <section aria-labelledby={title}>
      <h3 id={title}>{title}</h3>
      <Json value={value} label={title} />
    </section>
  );
}

/** The way back to the list of a kind. */
export function Breadcrumb({ kind }: { kind: string }) {
  return (
    <nav aria-label="Breadcrumb" class="breadcrumb">
      <a href={linkTo(kind)}>All {kind}</a>
    </nav>
  );
}

/** A link to another view, with text from a client. */
export function Link({ to, children }: { to: readonly string[]; children: string }) {
  return (
    <a href={linkTo(...to)}>
      <Text>{children}</Text>
    </a>
  );
}

/** A sentence about something that is not there yet. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

export function Problem({ children }: { children: string }) {
  return (
    <p class="callout failed" role="alert">
      {children}
    </p>
  );
}

/** A list of properties. What is null, undefined, false or "" is left out. */
export function Properties({ of }: { of: Readonly<Record<string, ComponentChildren>> }) {
  const shown = Object.entries(of).filter(([, value]) => value != null && value !== false && value !== "");
  return (
    <dl class="properties">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
