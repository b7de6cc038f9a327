import { stepTo } from "../../../provider/conversations/catalog/assistant-versions";
import type { PropertyMap } from "../../../provider/schema/schema";

const [A, B] = [{ model: "a" }, { model: "b" }];
const mirrored = (context: PropertyMap, config: PropertyMap = {}) => ({
  context,
  config: { ...config, configurable: context },
});

// @covers 2B.Assistant.mirrors, 2B.Assistant.mirrors:both, 2B.Assistant.mirrors:empty
it.each<[string, { before: PropertyMap; version: PropertyMap; python: PropertyMap; javascript: PropertyMap }]>([
  [
    "has a configuration that equals its context",
    {
      before: { context: {}, config: {} },
      version: mirrored(A, { tags: ["one"] }),
      python: { context: A, config: { tags: ["one"] } },
      javascript: mirrored(A, { tags: ["one"] }),
    },
  ],
  [
    "has no context any more",
    {
      before: mirrored(A),
      version: { context: {}, config: {} },
      python: { context: {}, config: { configurable: {} } },
      javascript: { context: {}, config: {} },
    },
  ],
  [
    "has an emptied context alone",
    {
      before: mirrored(A),
      version: { context: {}, config: { configurable: A } },
      python: { context: {} },
      javascript: { context: {} },
    },
  ],
  [
    "has another context than its configuration",
    {
      before: {},
      version: { context: A, config: { configurable: B } },
      python: { context: A, config: {} },
      javascript: { context: A, config: { configurable: B } },
    },
  ],
  [
    "has another key of its metadata",
    {
      before: { ...mirrored(A), metadata: { team: "a", kept: 1 } },
      version: { ...mirrored(A), metadata: { team: "b", kept: 1 } },
      python: { metadata: { team: "b" } },
      javascript: { metadata: { team: "b" } },
    },
  ],
])("A version that %s is made by a change that the server accepts", (_, { before, version, python, javascript }) => {
  expect(stepTo(version, before, [], true)).toEqual({ body: python });
  expect(stepTo(version, before, [], false)).toEqual({ body: javascript });
});

// @covers 4B.POST /assistants/{assistant_id}/latest
it("A version that was made after a return to an older one is made in the same way", () => {
  const first = { name: "one", ...mirrored(A), metadata: { first: true } };
  const second = { name: "two", ...mirrored(B), metadata: { first: true, second: true } };
  const third = { ...first, name: "three", context: B };
  for (const isPython of [true, false])
    expect(stepTo(third, second, [first, second], isPython)).toEqual({ returnTo: 1, body: { name: "three" } });
});
