import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useNow } from "../data/live";
import { hasNavigated, linkTo } from "../data/route";
import { formatDateTime, formatRelative, visible } from "./format";

/** Text from a client: isolated, so that its direction does not affect what surrounds it. */
export function Text({ children, class: className }: { children: string; class?: string }) {
  return <bdi class={className}>{visible(children)}</bdi>;
}

export function Paragraph({ children, class: className }: { children: string; class?: string }) {
  return (
    <p class={className}>
      <Text>{children}</Text>
    </p>
  );
}

/** An identifier in a fixed-width font. */
export function Code({ children }: { children: string }) {
  return <code>{visible(children)}</code>;
}

/** How long ago something was, or how far ahead; the date, the time and the zone appear under the pointer. */
export function Ago({ at }: { at: string | number }) {
  return (
    <time class="minor" dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
      {formatRelative(at, useNow())}
    </time>
  );
}

/** Date, time and zone, and how long ago or ahead that is. */
export function Time({ at, timeZone }: { at: string; timeZone?: string }) {
  return (
    <time dateTime={new Date(at).toISOString()}>
      {formatDateTime(at, timeZone)} <span class="minor">{formatRelative(at, useNow())}</span>
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

export function Section({ title, ...rest }: { title: string; class?: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section aria-labelledby={id} class={rest.class}>
      <h3 id={id}>{title}</h3>
      {rest.children}
    </section>
  );
}

/** A part of a view that is one value. */
export function JsonSection({ title, value }: { title: string; value: unknown }) {
  return (
    <Section title={title}>
      <Json value={value} label={title} />
    </Section>
  );
}

/** The title of a view, and of the tab. It gets the focus when its view replaces another one. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (hasNavigated()) heading.current?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    document.title = `${visible(title).slice(0, 100)} · Agent platform emulator`;
  }, [title]);
  return (
    <h2 tabIndex={-1} ref={heading}>
      {children ?? visible(title)}
    </h2>
  );
}

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

export function Problem({ children }: { children: ComponentChildren }) {
  return (
    <p class="callout failed" role="alert">
      {children}
    </p>
  );
}

export function Pending({ error, reason }: { error: string | undefined; reason?: string | false }) {
  return error === undefined ? <Empty>{reason || "Loading …"}</Empty> : <Problem>{error}</Problem>;
}

/** A list of properties. What is null, undefined, false or "" is left out. */
export function Properties({ of }: { of: Readonly<Record<string, ComponentChildren>> }) {
  const shown = Object.entries(of).filter(([, value]) => value != null && value !== false && value !== "");
  return (
    <dl class="row properties">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt class="minor">{name}</dt>
          <dd class="row cell">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
