import type { ComponentChildren, JSX } from "preact";
import { formatTime, visible } from "./format";

/** Text from a client: isolated, so that its direction does not affect what surrounds it. */
export function Text({ children, class: className }: { children: string; class?: string }): JSX.Element {
  return <bdi class={className}>{visible(children)}</bdi>;
}

/** An identifier in a fixed-width font. */
export function Code({ children }: { children: string }): JSX.Element {
  return <code>{visible(children)}</code>;
}

/** A time that matters less than what surrounds it. The date is shown as well unless it is the same day as `now`. */
export function Time({ at, now }: { at: string | number; now: number }): JSX.Element {
  return (
    <time class="minor" dateTime={new Date(at).toISOString()}>
      {formatTime(at, now)}
    </time>
  );
}

/** A value as formatted JSON. Long values scroll, also by keyboard. */
export function Json({ value, label }: { value: unknown; label: string }): JSX.Element {
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="json" aria-label={`${label} as JSON`} tabIndex={0}>
      <pre>{visible(text)}</pre>
    </section>
  );
}

/** A sentence about something that is not there yet. */
export function Empty({ children }: { children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}

export function Problem({ children }: { children: string }): JSX.Element {
  return (
    <p class="callout failed" role="alert">
      {children}
    </p>
  );
}

/** One property of a description list. */
export function Property({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
