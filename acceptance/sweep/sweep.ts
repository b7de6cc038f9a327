/** `--sweep`: removes what earlier runs left on a server, and nothing else. */
import { confirm } from "../confirm.ts";
import type { Options } from "../options.ts";
import { messageOf } from "../run.ts";
import { agentUrlOf } from "../statements/check.ts";
import type { Server } from "../target/server.ts";
import { findOnAgentServer } from "./agents.ts";
import { listDeployments } from "./deployments.ts";
import type { Leftover } from "./leftover.ts";
import { findLeftovers, type Leftovers } from "./leftovers.ts";

type Print = (text: string) => void;
const HOUR_MS = 3_600_000;

/** Lists what is left, asks, and removes it. @returns The exit code. */
export async function sweep(server: Server, options: Options, print: Print): Promise<number> {
  const prefix = `${options.prefix}-`;
  const elsewhere = await findElsewhere(server, options);
  const lists = [elsewhere, await findLeftovers(server, prefix)];
  const problems = lists.flatMap((list) => list.problems);
  const unsearched = [...elsewhere.closed, ...problems];
  for (const problem of unsearched) print(`Not searched: ${problem}`);
  const all = lists.flatMap(({ found }) => found);
  const old = all.filter(({ name }) => isOld(name, options.prefix, Date.now()));
  const young = all.filter((one) => !old.includes(one) && startOf(one.name, options.prefix) !== undefined);
  if (young.length > 0) print(`Kept, because the run may still be in progress: ${young.map(label).join(", ")}`);
  if (old.length === 0) {
    const where = unsearched.length > 0 ? "Where it could be searched, nothing" : "Nothing";
    print(`${where} that begins with "${options.prefix}-" is older than an hour.`);
    return problems.length > 0 ? 1 : 0;
  }
  print(["Left by earlier runs:", ...old.map((one) => `  ${label(one)}`)].join("\n"));
  if (!options.yes && !(await confirm(`Remove these ${old.length}?`))) return 2;
  let code = problems.length > 0 ? 1 : 0;
  for (const one of old) {
    const removal = await one.remove();
    if (removal !== "removed") code = 1;
    print(`${removal === "unsupported" ? "not removed, the server does not support it" : removal}: ${label(one)}`);
  }
  return code;
}

/**
 * What runs stored on agent servers of others: that of --agent-url, and those of all deployments that do not belong to
 * runs, which an earlier --agent-url may have named.
 * @property closed Those of these deployments that list nothing: the present run stores nothing there.
 */
async function findElsewhere(
  { controlPlane, agentServer }: Server,
  { prefix, agentUrl }: Options,
): Promise<Leftovers & { closed: string[] }> {
  // findLeftovers says when there is no list.
  const deployments = controlPlane ? await listDeployments(controlPlane, "").catch(() => []) : [];
  const urls = deployments
    .filter(({ name }) => startOf(name, prefix) === undefined)
    .flatMap((one) => agentUrlOf(one) ?? []);
  const [found, problems, closed]: [Leftover[], string[], string[]] = [[], [], []];
  for (const url of new Set([...(agentUrl ? [agentUrl] : []), ...urls])) {
    try {
      found.push(...(await findOnAgentServer(agentServer(url), `${prefix}-`)));
    } catch (error) {
      const list = url === agentUrl ? problems : closed;
      list.push(`the agent server ${url} lists nothing (${messageOf(error)})`);
    }
  }
  return { found, problems, closed };
}

const label = ({ kind, id, name }: Leftover) => `${kind} ${name} (${id})`;

/** Whether a name is one of a run of this prefix that began more than an hour ago. */
function isOld(name: string, prefix: string, now: number): boolean {
  const start = startOf(name, prefix);
  return start !== undefined && now - start > HOUR_MS;
}

/** Returns when the run began that a name belongs to; undefined for the names of others. */
function startOf(name: string, prefix: string): number | undefined {
  if (!name.startsWith(`${prefix}-`)) return undefined;
  const digits = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)-[0-9a-f]{4}-/.exec(name.slice(prefix.length + 1));
  if (!digits) return undefined;
  const [year = 0, month = 0, day, hour, minute, second] = digits.slice(1).map(Number);
  return Date.UTC(2000 + year, month - 1, day, hour, minute, second);
}
