import type { DiskSpace } from '../../ports/disk-space.ts'

/** For a database on other machines: the service cannot see its disks. */
export const noDisk: DiskSpace = {
  isFull: () => false,
  isLow: () => false,
  freeBytes: () => undefined,
  noteFailure: () => {},
  start: () => {},
  stop: async () => {},
}
