/**
 * Returns the error that a promise is rejected with, to look at its text or its class; fails the test when it is fulfilled.
 * Where one text is all there is to see, use `rejects.toThrow(text)`.
 */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  return error as Error;
}
