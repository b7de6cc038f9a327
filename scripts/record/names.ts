/**
 * Names in place of the values that differ in each run: `{{create-empty.thread_id}}` is the value of `thread_id` in the
 * response of the step `create-empty`, where it first occurs. Of times only the form is kept: `{{time6}}+00:00`.
 */
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?/g;
const ID = /[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|\b[0-9a-f]{32}\b/g;
/** Also in the text of an error that shows objects of Python. */
const MILLISECONDS = /\b1[6-9]\d{11}\b/g;
const PYTHON_TIME = /datetime\.datetime\([^)]*\)/g;
const NAME = /\{\{([^}]+)\}\}/g;

export class Names {
  /** By value. */
  private readonly names = new Map<string, string>();
  /** By name. */
  private readonly values = new Map<string, string>();
  private readonly fixedText: string;

  /** @param fixedText All that the script itself says, whose IDs and times keep their values. */
  constructor(fixedText: string) {
    this.fixedText = fixedText;
  }

  /** Returns a request with its names, of any place of a response, resolved. @throws Error if one is none */
  resolve<T>(request: T): T {
    return resolveNames(request, this.values);
  }

  /** Returns a response of a server with names in place of its values. */
  define<T>(origin: string, step: string, value: T): T {
    return mapTexts(value, (text, path) =>
      this.defineIn(text.replaceAll(origin, "{{origin}}"), [step, ...path].join(".")),
    ) as T;
  }

  private defineIn(text: string, path: string): string {
    const withoutTimes = text
      .replaceAll(PYTHON_TIME, "datetime.datetime({{time}})")
      .replaceAll(MILLISECONDS, "{{milliseconds}}");
    const named = withoutTimes.replaceAll(ID, (id) => this.nameOf(id, path));
    return named.replaceAll(TIME, (time, fraction: string | undefined) =>
      this.fixedText.includes(time) ? time : `{{time${fraction?.length ?? 0}}}`,
    );
  }

  private nameOf(id: string, path: string): string {
    if (this.fixedText.includes(id)) return id;
    let place = path;
    for (let count = 2; (this.values.get(place) ?? id) !== id; count++) place = `${path}#${count}`;
    this.values.set(place, id);
    if (!this.names.has(id)) this.names.set(id, place);
    return `{{${this.names.get(id)}}}`;
  }
}

/** Returns a JSON value with all of its texts changed, including the names of fields. */
export function mapTexts(
  value: unknown,
  change: (text: string, path: readonly string[]) => string,
  path: readonly string[] = [],
): unknown {
  if (typeof value === "string") return change(value, path);
  if (typeof value === "number" && new RegExp(MILLISECONDS).test(String(value))) return change(String(value), path);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, change, [...path, String(index)]));
  if (typeof value !== "object" || value === null) return value;
  // In a fixed order: that of a server may differ in each run.
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  const changed = entries.map(([key, item]) => {
    const name = change(key, [...path, "key"]);
    return [name, mapTexts(item, change, [...path, key === name ? key : "*"])];
  });
  return Object.fromEntries(changed);
}

/** Returns a request with the values of its names. @throws Error if one has none */
export function resolveNames<T>(request: T, values: ReadonlyMap<string, string>): T {
  return mapTexts(request, (text) =>
    text.replaceAll(NAME, (_, name: string) => {
      const value = values.get(name);
      if (value === undefined) throw new Error(`No response contains {{${name}}}.`);
      return value;
    }),
  ) as T;
}
