/** Finds types that consist of themselves. */
import { noteOf } from "./comment";
import { type Declaration, type Type, UNKNOWN } from "./type";

/**
 * Replaces types that contain themselves without an object or a list between, which no language has, with unknown ones.
 */
export function breakCycles(declarations: readonly Declaration[]): Declaration[] {
  const aliases = new Map(
    declarations.flatMap(({ name, shape }) => ("alias" in shape ? [[name, shape.alias] as const] : [])),
  );
  return declarations.map((declaration) => {
    const alias = aliases.get(declaration.name);
    if (!alias || !reaches(alias, declaration.name, aliases)) return declaration;
    aliases.set(declaration.name, UNKNOWN);
    return { ...declaration, comment: [...declaration.comment, noteOf("contains itself")], shape: { alias: UNKNOWN } };
  });
}

function reaches(type: Type, name: string, aliases: ReadonlyMap<string, Type>, seen: readonly string[] = []): boolean {
  if (type.kind === "union") return type.types.some((one) => reaches(one, name, aliases, seen));
  if (type.kind !== "reference" || seen.includes(type.name)) return false;
  const alias = aliases.get(type.name);
  return type.name === name || (alias !== undefined && reaches(alias, name, aliases, [...seen, type.name]));
}
