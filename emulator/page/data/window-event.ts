import { useEffect } from "preact/hooks";

/** Handles an event of the window while a component is shown. */
export function useWindowEvent<K extends keyof WindowEventMap>(name: K, handle: (event: WindowEventMap[K]) => void) {
  useEffect(() => {
    addEventListener(name, handle);
    return () => removeEventListener(name, handle);
  });
}
