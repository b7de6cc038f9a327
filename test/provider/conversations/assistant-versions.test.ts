import { stepTo } from "../../../provider/conversations/catalog/assistant-versions";
import type { PropertyMap } from "../../../provider/schema/schema";

const [A, B] = [{ model: "a" }, { model: "b" }];
const mirrored = (context: PropertyMap, config: PropertyMap = {}) => ({
  context,
  config: { ...config, configurable: context },
});

const none = { context: {}, config: {} };
const tagged = { tags: ["one"] };
const ofTeam = (team: string) => ({ ...mirrored(A), metadata: { team, kept: 1 } });

// The last body is that of the server in JavaScript, where it differs from that in Python.
// @covers 2B.Assistant.mirrors, 2B.Assistant.mirrors:both, 2B.Assistant.mirrors:empty
it.each<[string, before: PropertyMap, version: PropertyMap, python: PropertyMap, javascript?: PropertyMap]>([
  ["equal to its context", none, mirrored(A, tagged), { context: A, config: tagged }, mirrored(A, tagged)],
  ["gone with its context", mirrored(A), none, { context: {}, config: { configurable: {} } }, none],
  ["that stays without a context", mirrored(A), { context: {}, config: { configurable: A } }, { context: {} }],
  [
    "unlike its context",
    {},
    { ...mirrored(B), context: A },
    { context: A, config: {} },
    { ...mirrored(B), context: A },
  ],
  ["the same, but other metadata", ofTeam("a"), ofTeam("b"), { metadata: { team: "b" } }],
])(
  "A version with a configuration %s is made by a change that the server accepts",
  (_what, before, version, ...bodies) => {
    const [python, javascript = python] = bodies;
    expect(stepTo(version, before, [], true)).toEqual({ body: python });
    expect(stepTo(version, before, [], false)).toEqual({ body: javascript });
  },
);

// @covers 4B.POST /assistants/{assistant_id}/latest
it("A version that was made after a return to an older one is made in the same way", () => {
  const first = { name: "one", ...mirrored(A), metadata: { first: true } };
  const second = { name: "two", ...mirrored(B), metadata: { first: true, second: true } };
  const third = { ...first, name: "three", context: B };
  for (const isPython of [true, false])
    expect(stepTo(third, second, [first, second], isPython)).toEqual({ returnTo: 1, body: { name: "three" } });
});
