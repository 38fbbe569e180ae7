/** The bounds of a page; one row may be larger than a whole page. A copy holds several pages in several forms. */
export const pageRowsMax = 500
export const pageBytesMax = 2 * 1024 * 1024

/** Refuses to open a database that was copied only in part. */
export function assertIsWhole(progress: { isFinished: boolean; source: string } | undefined): void {
  if (!progress || progress.isFinished) return
  throw new Error(
    `the database is the target of a copy from ${progress.source} that has not finished: run that \`crm-server copy\` again, it goes on where it was; or start with an empty database`,
  )
}

export type SchemaState = { current: number | undefined; newest: number; address: string }

/** A source is never changed, not even to bring its schema up to date. `current` is undefined for an empty one. */
export function assertSourceSchema({ current, newest, address }: SchemaState): void {
  if (current === undefined || current === 0) throw new Error(`there is no data of crm-server in ${address}`)
  if (current > newest) {
    throw new Error(
      `${address} has schema ${current}, this version knows ${newest}: copy with the newer crm-server that made it`,
    )
  }
  if (current < newest) {
    throw new Error(
      `${address} has schema ${current}, this version needs ${newest}: run \`crm-server migrate\` with CRM_DATABASE_URL set to it, then copy`,
    )
  }
}
