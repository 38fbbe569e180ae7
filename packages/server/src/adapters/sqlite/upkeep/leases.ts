import type { Lease, LeaseClaim } from '../../../ports/system-store.ts'
import { leaseBounds } from '../../../storage/rules/leases.ts'
import type { Sql } from '../connection/sql.ts'

/** Takes and releases leases, inside the writer's transaction only. */
export function createLeases(sql: Sql) {
  return {
    take(claim: LeaseClaim): boolean {
      const { name, holder, now } = claim
      const { until, implausibleAfter } = leaseBounds(claim)
      const take = `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
        WHERE holder = excluded.holder OR until <= ? OR until > ?`
      return sql.across.run(take, name, holder, until, now, implausibleAfter).changes === 1
    },
    /** Their names stay, so that work that was under way is found. */
    endAll(): void {
      sql.across.run("UPDATE leases SET until = ''")
    },
    release({ name, holder }: Lease): void {
      sql.across.run('DELETE FROM leases WHERE name = ? AND holder = ?', name, holder)
    },
  }
}
