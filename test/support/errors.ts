/**
 * Returns the error that a promise is rejected with, to look at its text or its class; fails the test when it is
 * fulfilled. Where one text is all there is to see, use `rejects.toThrow(text)`.
 */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  return error as Error;
}

/** Returns a message without its last line, the request ID that the emulator returns with each response. */
export function withoutRequestId(message: string): string {
  expect(message).toMatch(/\n {2}request ID {2}\d+$/);
  return message.slice(0, message.lastIndexOf("\n"));
}
