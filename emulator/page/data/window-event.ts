import { useEffect } from "preact/hooks";

/** Handles an event of the window while a component is shown. */
export function useWindowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  handle: (event: WindowEventMap[Name]) => void,
): void {
  useEffect(() => {
    addEventListener(name, handle);
    return () => removeEventListener(name, handle);
  });
}
