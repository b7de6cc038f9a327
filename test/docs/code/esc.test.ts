/** examples/esc: its environment defines what its stack and its program require. Only Pulumi Cloud can open it. */
import { parse } from "yaml";
import { textOf } from "../support/markdown";

const { values } = parse(textOf("examples/esc/environment.yaml"));
const stack = parse(textOf("examples/esc/Pulumi.production.yaml"));

/** Returns what an expression refers to; the names of secrets are those below `get`. */
function resolve(path: string): unknown {
  return path.split(".").reduce<Record<string, unknown> | undefined>((value, name) => {
    const opened = Object.entries(value ?? {}).find(([key]) => key.startsWith("fn::open::"))?.[1] as { get: object };
    return (value?.[name] ?? (opened?.get as Record<string, unknown>)?.[name]) as Record<string, unknown> | undefined;
  }, values);
}

test("every expression of the environment refers to a value in it", () => {
  const paths = [...textOf("examples/esc/environment.yaml").matchAll(/\$\{(.+?)\}/g)].map(([, path = ""]) => path);
  expect(paths).toEqual(["aws.login", "aws.secrets.apiKey", "aws.secrets.modelApiKey"]);
  expect(paths.filter((path) => resolve(path) === undefined)).toEqual([]);
  expect(resolve("aws.secrets.other")).toBeUndefined();
});

test("the environment and the stack define the configuration that the program requires", () => {
  const required = [...textOf("examples/esc/index.ts").matchAll(/config\.require\w*\("(\w+)"\)/g)].map(
    ([, key]) => key,
  );
  const inStack = Object.keys(stack.config).map((key) => key.split(":")[1]);
  expect(required.sort()).toEqual([...inStack, "modelApiKey"].sort());
  expect(Object.keys(values.pulumiConfig)).toEqual(["agentgraph:controlPlaneUrl", "modelApiKey"]);
  expect(textOf("examples/esc/environment.yaml")).toContain(`pulumi env init ${stack.environment[0]} `);
});
