import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { add } from '../../../test/contracts/storage/samples.contract.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import type { TenantId } from '../../storage/records.ts'
import { openSqliteStorage } from './sqlite-storage.ts'

const pageBytes = 4096
const rowCount = 4_000

/** Overwrites a part of the file, as a failing disk does. */
function damage(file: string, { from, pages }: { from: number; pages: number }): void {
  const first = Math.floor((statSync(file).size / pageBytes) * from)
  const handle = openSync(file, 'r+')
  for (let page = first; page < first + pages; page += 1) {
    writeSync(handle, Buffer.alloc(pageBytes, 0xab), 0, pageBytes, page * pageBytes)
  }
  closeSync(handle)
}

test.each([0.2, 0.3, 0.5, 0.7])(
  'damaged pages at %d of the file end the reads that meet them, never the process nor other reads',
  async (from) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-damaged-'))
    const file = path.join(folder, 'crm.db')
    try {
      const whole = await openSqliteStorage({ path: file })
      const rows = Array.from({ length: rowCount }, (_, i) => ({ _id: `cus_${i}` }))
      await add(whole.forTenant('ten_1' as TenantId), 'customers', rows)
      await whole.close()
      damage(file, { from, pages: 200 })
      const storage = await openSqliteStorage({ path: file })
      const { customers } = storage.forTenant('ten_1' as TenantId)
      let found = 0
      const refusals: unknown[] = []
      for (let i = 0; i < rowCount; i += 7) {
        await customers.find(`cus_${i}`).then(
          (row) => {
            if (row !== undefined) found += 1
          },
          (error: unknown) => refusals.push(error),
        )
        // The shared read transaction ends here; nothing could catch an error in it.
        await nextTick()
      }
      expect(found + refusals.length).toBeGreaterThan(0)
      expect(refusals.filter((error) => !(error instanceof StorageUnavailable))).toEqual([])
      await storage.close()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
