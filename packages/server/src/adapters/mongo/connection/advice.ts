import type { Connection } from 'mongoose'

/** Longer than any commit of ours takes, and short enough that its rows are not missed for long. */
const lifetimeMaxSeconds = 10

export interface Advice {
  sentence: string
  /** The command that follows the advice. */
  mend: string
}

/**
 * MongoDB keeps the transaction of a killed client open for a minute by default, with its rows locked. Empty where the
 * server does not say, as hosted ones may.
 */
export async function adviceFor(connection: Connection): Promise<readonly Advice[]> {
  const parameter = 'transactionLifetimeLimitSeconds'
  const admin = connection.getClient().db('admin')
  const found = await admin.command({ getParameter: 1, [parameter]: 1 }).catch(() => undefined)
  const seconds: unknown = found?.[parameter]
  if (typeof seconds !== 'number' || seconds <= lifetimeMaxSeconds) return []
  return [
    {
      sentence: `MongoDB keeps the rows of a killed process locked for ${seconds} s.`,
      mend: `Run on each of its members: mongosh admin --eval 'db.adminCommand({ setParameter: 1, ${parameter}: 5 })', and set it in their configuration (docs/scaling.md)`,
    },
  ]
}
