/** Sends the command's request, with more fields in its query. */
export type SendRequest = (
  query: Readonly<Record<string, string>>,
) => Promise<{ readonly data: unknown; readonly response: Response }>
