import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentsSettings, CommandError, fillCommand, splitWords } from "../../src/runtime/agents/commands";
import { readAgentsFile, singleAgent } from "../../src/runtime/agents/file";
import { newFolder } from "../support/folder";

function read(text: string) {
  const path = join(newFolder(), "agents.yaml");
  writeFileSync(path, text);
  try {
    return readAgentsFile(path);
  } catch (error) {
    return (error as Error).message.replace(path, "agents.yaml");
  }
}

const entryOf = (text: string) => (read(text) as AgentsSettings).entries[0];

describe("the agents file", () => {
  it("has defaults", () => {
    expect(read("agents:\n  - start: node 'my server.js' {port}\n")).toEqual({
      entries: [
        {
          name: "*",
          start: { words: ["node", "my server.js", "{port}"] },
          environment: {},
          inherit: [],
          timeouts: { clone: 600_000, install: 600_000, build: 600_000, start: 120_000, drain: 30_000, stop: 10_000 },
          restart: { pause: 1000, longest: 60_000 },
          portOwner: "agent",
        },
      ],
      limits: { processes: 50, logLines: 10_000 },
    });
  });

  it("accepts lists, several sources, single timeouts and scripts", () => {
    const text = "agents:\n  - source: [githost]\n    start: [a, b c]\n    timeouts: {stop: 0.5}\n";
    expect(entryOf(text)).toMatchObject({
      source: ["githost"],
      start: { words: ["a", "b c"] },
      timeouts: { stop: 500 },
    });
    expect(entryOf("agents:\n  - start: docker run x\n")).toMatchObject({ portOwner: "any" });
    expect(entryOf("agents:\n  - shell: true\n    start: a | b\n")).toMatchObject({ start: { script: "a | b" } });
  });

  const first = (rest: string) => `agents:\n  - start: ${rest}\n`;
  it.each([
    ["agents:\n  - strat: x\n", /^2: agents\[0\]\.start: is missing$/],
    [first("x\n    folder: nowhere"), /^3: agents\[0\]\.folder: the folder .* does not exist$/],
    [first("x\n    source: git"), /^3: agents\[0\]\.source: unknown source "git"; expected one of/],
    [first("x\n    colour: 1"), /^3: agents\[0\]\.colour: unknown field; expected one of/],
    [first("x {prot}"), /^2: agents\[0\]\.start: unknown placeholder \{prot\}; did you mean \{port\}\?$/],
    [first("x 'y"), /^2: agents\[0\]\.start: a quote is not closed$/],
    [first("'{image} run'"), /^2: agents\[0\]\.start: the program contains \{image\}, so a request/],
    [first("cd x && {name}\n    shell: true"), /agents\[0\]\.start: the program contains \{name\}, so a request/],
    [first("''"), /agents\[0\]\.start: expected a command/],
    [first("x\n    timeouts:\n      stop: -1"), /^4: agents\[0\]\.timeouts\.stop: input should be greater/],
    ["agents: []\n", /^1: agents: expected at least one agent$/],
    [first("["), /^\d: /],
    ["", /^(1:)? ?agents: is missing$/],
  ])("is rejected with the line of a mistake: %j", (text, message) => {
    expect(String(read(text)).replace(/^agents\.yaml: ?/, "")).toMatch(message);
  });

  it("is replaced by options for one agent, which name the folder that does not exist", () => {
    expect(singleAgent(".", "node x").entries[0]).toMatchObject({ inherit: expect.arrayContaining(["PATH", "HOME"]) });
    expect(singleAgent(".", "node x", 5).entries[0]).toMatchObject({ timeouts: { start: 5000 } });
    expect(() => singleAgent(".", "x", -1)).toThrow(/^Invalid --timeout: /);
    expect(() => singleAgent("nowhere", "x")).toThrow(/^Invalid --agent: the folder .*nowhere does not exist$/);
  });
});

describe("a script", () => {
  const start = (script: string) => read(`agents:\n  - shell: true\n    start: ${JSON.stringify(script)}\n`);

  it.each([
    ...["{name}", "if {name}; then a; fi", "if a; then {name}; fi", "if ! '{name}' x; then a; fi", "a || {name}"],
    ...["! {name}", "(cd x; {name})", "{ {name}; }", "a $({name})", 'a "$( {name} )"', "a `{name}`", "a | {name}"],
    ...["A=1 {name}", "env -i A=1 {name}", "exec -- {name}", "a\n{name}", "a & {name}", "a \\\n; {name}", ">x {name}"],
    ...["a >x; {name}", "case x in a) {name};; esac", "for i in 1; do {name}; done", "/opt/{name}/run", "a {\n{name}"],
    ...['eval "cd x; {name}"', "{name} && case x in a) b;; esac", "a `b \\`{name}\\``", "function f { {name}; }; f"],
    ...["run $(({name}); b)", "exec -a n {name}", "env -u X {name}", "coproc {name}"],
    ...['eval "{name} x"', "f() { {name}; }; f", 'a "b" # c\n{name}', "a 2>&1\n{name}", "while {name}; do a; done"],
  ])("is rejected where a request would choose the program: %j", (script) => {
    expect(start(script)).toContain("the program contains {name}, so a request would choose what runs");
  });

  it.each([
    ...["run if {name}", "run --env {name}", "run --time {name}", "echo 'if {name}'", 'echo "then {name}"'],
    ...['if [ "{name}" = x ]; then run; fi', 'if test -n "{name}"; then run "{name}"; fi', "{folder}/run {name}"],
    ...["run > {name}", "run 2>{name} x", "run <<<{name}", "run $((1+{port}))", "# if {name}\nrun", "A={name} run"],
    ...["case {name} in x) run;; esac", "for i in {name}; do run; done"],
    ...['eval "run {name}"', "run --do={name} {port}", "run\\; {name}", 'run "$(id) {name}"', "run \\\n {name}"],
  ])("is accepted where a value is an argument: %j", (script) => {
    expect(start(script)).toMatchObject({ entries: [{ start: { script } }] });
  });
});

describe("a command", () => {
  const values = {
    port: "80",
    folder: "/my f",
    image: "r.example/a-b:1@sha256:0f",
    config: undefined,
    name: "n",
    revision: "r",
  };

  it("keeps a value within its argument", () => {
    expect(fillCommand({ words: ["run", "x{image}"] }, values)).toEqual({
      argv: ["run", "xr.example/a-b:1@sha256:0f"],
      environment: {},
    });
    expect(fillCommand({ words: ["{folder}/run"] }, values).argv).toEqual(["/my f/run"]);
  });

  it("gives a shell the values as variables", () => {
    expect(fillCommand({ script: "run {image} $HOME" }, values)).toEqual({
      argv: ["/bin/sh", "-c", "run $" + "{AGENTGRAPH_IMAGE} $HOME"],
      environment: { AGENTGRAPH_IMAGE: "r.example/a-b:1@sha256:0f" },
    });
  });

  it.each([..."'\"`$;&|<>()[]{}*?!#~\\% \t\n\r^\u202e", ...["@/f", "+x", "-x", "=x", "\0"]])(
    "is not run with %j in a value of a request, because the argument may be code",
    (text) => {
      for (const name of ["image", "name", "config"] as const) {
        const config = `/my f${text}`;
        const odd = { ...values, image: `${text}x`, name: `${text}x`, config };
        expect(() => fillCommand({ words: ["node", "-e", `log("{${name}}")`] }, odd)).toThrow(CommandError);
        expect(() => fillCommand({ script: `eval "run {${name}}"` }, odd)).toThrow(CommandError);
      }
    },
  );

  it("cannot use a value that the revision does not have, or that could be read as an option", () => {
    expect(() => fillCommand({ words: ["{config}"] }, values)).toThrow("which this revision does not have");
    const option = { ...values, image: "--version" };
    const reason = 'The value of {image} begins with a hyphen: "--version"';
    expect(() => fillCommand({ words: ["{image}"] }, option)).toThrow(reason);
  });

  it.each([
    ["a  b", ["a", "b"]],
    [`a "b \\" c" 'd "e'f`, ["a", 'b " c', 'd "ef']],
    ["a\\ b", ["a b"]],
    ["a 'b", undefined],
  ])("is split into words as in a shell: %s", (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });
});
