/** Of the package; the interface's own version is in http/openapi.ts. */
export const emulatorVersion = "0.1.0";
