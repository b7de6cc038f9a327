/** What acts in a terminal or in the log of a pipeline is made harmless, and stays readable. */
import fc from "fast-check";
import { sanitize } from "../../../provider/text/clean";
import { anyText } from "../../support/arbitraries/any-text";
import { cpuTimeOf } from "../../support/time/cpu-time";

test.each([
  ["colors", "\u001b[31mred\u001b[0m \u001b[1;38;5;9mbold\u001b[m", "red bold"],
  ["a cleared screen", "a\u001b[2J\u001b[Hb", "ab"],
  ["a link", "\u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u0007 here", "click here"],
  ["a window title", "\u001b]0;title\u0007text", "text"],
  ["a device control string", "a\u001bPq#0;2;0;0;0\u001b\\b", "ab"],
  ["a note of Jenkins", "\u001b[8mha:AAAA\u001b[0mtext", "ha:AAAAtext"],
  ["a section of GitLab", "section_start:1:a\r\u001b[0Ktitle", "section_start:1:a\ntitle"],
  ["controls of eight bits", "a\u009b31mb\u009d0;t\u009cc", "abc"],
  ["a sequence without an end", "a\u001b]8;;b", "a\\u001b]8;;b"],
])("%s is removed", (_what, text, safe) => {
  expect(sanitize(text)).toBe(safe);
});

test.each([
  ["a carriage return, which would overwrite the line", "fine\rbad\r\nnext", "fine\nbad\nnext"],
  ["a bell and a backspace", "a\u0007b\u0008c", "a\\u0007b\\u0008c"],
  ["marks of direction", "user\u202Egnp.exe\u2066x", "user\\u202egnp.exe\\u2066x"],
  ["characters without any width", "pay\u200bpal\ufeff", "pay\\u200bpal\\ufeff"],
  ["tags that nobody sees", "a\u{e0041}b", "a\\ue0041b"],
  ["half of a character", "a\ud83d b", "a\ufffd b"],
  ["another line separator", "a\u2028b\u0085c", "a\nb\nc"],
])("%s is made visible", (_what, text, safe) => {
  expect(sanitize(text)).toBe(safe);
});

test.each([
  ["GitHub Actions", "::error file=a.js,line=1::bad", ": :error file=a.js,line=1::bad"],
  ["GitHub Actions, after spaces", "ok\n   ::add-mask::x", "ok\n   : :add-mask::x"],
  ["GitHub Actions, where the text may be wrapped", "and then ::stop-commands::x", "and then : :stop-commands::x"],
  ["older runners of GitHub", "a ##[set-output name=a;]b", "a # #[set-output name=a;]b"],
  ["Azure Pipelines", "a ##vso[task.setvariable variable=a]b", "a # #vso[task.setvariable variable=a]b"],
  ["TeamCity", "##teamcity[buildStop]", "# #teamcity[buildStop]"],
  ["Pulumi's display, which panics at a color that it does not know", "<{%bad%}>", "< {%bad%}>"],
])("A command of %s is broken", (_what, text, safe) => {
  expect(sanitize(text)).toBe(safe);
});

test.each([
  ...["std::string a::b", "::1 and fe80::1", "a\tb\nc", "größer 漢字 👩‍👩‍👧", "## heading [x]", "100 <b> {%"],
  "a: b :: c",
])("%j is unchanged", (text) => {
  expect(sanitize(text)).toBe(text);
});

test("No text contains anything active after sanitizing, and safe text is unchanged", () => {
  const pieces = fc.constantFrom(
    ...["\u001b", "[", "]", "::", "error", "##", "vso[", "\r", "\n", " ", "<{%", "%}>", "\u202e", "\u009b", "m", "a"],
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, anyText()), { maxLength: 30 }), (parts) => {
      const safe = sanitize(parts.join(""));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be left.
      expect(safe).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(safe).not.toMatch(/##(\[|vso\[|teamcity\[)|<\{%/i);
      expect(safe).not.toMatch(/^\s*::[a-z][^\n]*::/im);
      expect(sanitize(safe)).toBe(safe);
    }),
    { numRuns: 500 },
  );
});

test("A long text of unterminated sequences takes no time", () => {
  const time = cpuTimeOf(() => {
    for (const piece of ["\u001b]", "\u001b[0;", "\u001bP", " ::a", "##", "<{%", "\u001b "])
      sanitize(piece.repeat(100_000));
  });
  expect(time).toBeLessThan(5000);
});
