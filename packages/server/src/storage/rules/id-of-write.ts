import type { Write } from '../../ports/change.ts'
import type { Kind } from '../kinds/registry.ts'

/** Returns the id of the row that a write is about. */
export function idOfWrite(write: Write<Kind>): string {
  return write.op === 'insert' || write.op === 'ensure' ? write.row._id : write.id
}
