/** The work of an upgrade that has not begun. */
export interface UpgradeEstimate {
  from: number
  to: number
  /** How many rows of each table or collection are read or written, those without any left out. */
  rows: Readonly<Record<string, number>>
  /** Measured on a part of this database; undefined where it was not. */
  seconds: number | undefined
}
