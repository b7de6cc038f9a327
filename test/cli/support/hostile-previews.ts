/** Random previews with texts that a program could choose to break or to forge a comment. */
import fc from "fast-check";
import { anyText } from "../../support/arbitraries/any-text";
import type { Bag } from "./previews";

const EVIL = [
  ...["@everyone", "@team/all", "#1", "GH-1", "owner/repo#2", "<script>alert(1)</script>", "<img src=x onerror=a>"],
  ...["</details>", "<!--", "-->", "`", "``", "```", "````\n", "~~~", "\n", "\r\n- x", "|", "**", "_", "\u202e"],
  ...["[a](https://evil.example)", "![a](https://evil.example)", "https://evil.example", "www.evil.example"],
  ...["\\", "\\`", "\u2028"],
  ...["\u0000", "&lt;b&gt;", "> [!NOTE]", "# a", "1. a", "; ", ": ", ", ", " ", "word", "secrets.KEY", "\ud800"],
];
const evil = fc.array(fc.oneof(fc.constantFrom(...EVIL), anyText()), { maxLength: 8 }).map((all) => all.join(""));
const op = fc.constantFrom(
  ...["create", "update", "replace", "delete", "same", "refresh", "import", "create-replacement", "strange"],
);
const kind = fc.constantFrom(
  ...["Deployment", "Thread", "BulkExport", "ScheduledBulkExport", "BulkExportDestination", "Newer<b>"],
);

/** In the inputs of some resources, wrapped as a secret. */
export const THE_SECRET = "the-value-of-a-secret";
const wrapped = (field: Bag) => ({ "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ...field });
const secret = fc.constantFrom<unknown>(
  ...[wrapped({ plaintext: JSON.stringify(THE_SECRET) }), wrapped({ ciphertext: THE_SECRET }), "[secret]"],
);
const inputs = fc.record({
  ...{ name: evil, source: fc.constantFrom("external_docker", "githost") },
  sourceRevisionConfig: fc.dictionary(evil, evil),
  // In plain text, as the engine shows them on request.
  secrets: fc.dictionary(evil, fc.oneof(secret, fc.constant(THE_SECRET))),
  ...{ metadata: fc.dictionary(evil, fc.oneof(evil, secret)), config: fc.oneof(evil, secret, fc.constant(null)) },
});
const resource = fc.record({
  ...{ op, kind, name: evil, before: inputs, after: inputs },
  differing: fc.dictionary(
    fc.oneof(evil, fc.constantFrom("secrets.A", "name")),
    fc.constantFrom("add", "delete", "update", "x"),
  ),
  replaceReasons: fc.array(fc.oneof(evil, fc.constantFrom("name", "id"))),
  diagnostics: fc.array(
    fc.tuple(
      fc.constantFrom("info", "warning", "error"),
      fc.oneof(
        evil,
        evil.map((text) => `REPLACED: ${text}`),
      ),
    ),
  ),
});
const other = fc.record({ op, type: evil, name: evil });
/** Resources, and diagnostics of the whole preview. */
export const hostilePreview = fc.tuple(
  fc.array(fc.oneof(resource, other), { maxLength: 6 }),
  fc.array(fc.tuple(fc.constantFrom("error", "warning"), evil), { maxLength: 3 }),
);
