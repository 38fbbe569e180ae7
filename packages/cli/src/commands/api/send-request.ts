/** Sends the request of the command with additional query fields. */
export type SendRequest = (
  query: Readonly<Record<string, string>>,
) => Promise<{ readonly data: unknown; readonly response: Response }>
