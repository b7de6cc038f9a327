/** Tables that decide what a create does next, from what it knows of the objects on the server. */

/** The first row whose situation matches decides. */
export type DecisionTable<S, A> = readonly (readonly [situation: Partial<S>, action: A])[];

/** Returns the action for a situation. Some row matches each situation. */
export function decide<S extends object, A>(table: DecisionTable<S, A>, situation: S): A {
  const matches = (pattern: Partial<S>) =>
    Object.entries(pattern).every(([column, value]) => situation[column as keyof S] === value);
  const row = table.find(([pattern]) => matches(pattern));
  return (row as (typeof table)[number])[1];
}
