/** Events and attempts are kept for so long. */
export const logsKeepMs = 30 * 86_400_000
