// The stacks of the project.
import { join } from "node:path";
import { LocalWorkspace, Stack, type StackSummary } from "@pulumi/pulumi/automation/index.js";

/** Commands name their stack, and no one reads its outputs: without both, Pulumi starts less often. */
export async function openProject(): Promise<LocalWorkspace> {
  const workspace = await LocalWorkspace.create({ workDir: join(import.meta.dirname, "..") });
  return Object.assign(workspace, { selectStack: async () => {}, stackOutputs: async () => ({}) });
}

export class Stacks {
  private readonly workspace: LocalWorkspace;
  /** The stacks that existed at the start, by name. */
  readonly existing: ReadonlyMap<string, StackSummary>;
  private readonly opened = new Map<string, Promise<Stack>>();
  private last: Promise<unknown> = Promise.resolve();

  private constructor(workspace: LocalWorkspace, existing: Stacks["existing"]) {
    this.workspace = workspace;
    this.existing = existing;
  }

  static async list(): Promise<Stacks> {
    const workspace = await openProject();
    const all = await workspace.listStacks();
    return new Stacks(workspace, new Map(all.map((summary) => [summary.name.split("/").at(-1) ?? "", summary])));
  }

  /** Returns the stacks of a stage that are not declared any more. */
  without(stage: string, declared: readonly string[]): string[] {
    return [...this.existing.keys()].filter((name) => name.startsWith(`${stage}-`) && !declared.includes(name));
  }

  /**
   * Opens a stack, and creates it if it does not exist. Always called once at a time: a new stack writes a file of
   * Pulumi.
   */
  private async select(name: string): Promise<Stack> {
    return this.existing.has(name) ? Stack.select(name, this.workspace) : Stack.create(name, this.workspace);
  }

  open(name: string): Promise<Stack> {
    const stack = this.opened.get(name) ?? this.last.then(() => this.select(name));
    this.opened.set(name, stack);
    this.last = stack.catch(() => undefined);
    return stack;
  }
}
