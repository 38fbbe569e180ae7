import type { AttachmentStore } from '../../ports/attachment-store.ts'

interface Stores {
  now: AttachmentStore
  before: AttachmentStore
}

/**
 * A store in a new place, which still reads and removes what the place before it has: files can move while the service serves, and an
 * erasure reaches both. The place before is emptied first, so that a file that moves at this moment is found gone there.
 */
export function createMovingAttachments({ now, before }: Stores): AttachmentStore {
  return {
    write: (key, bytes) => now.write(key, bytes),
    // A second look: the file may have moved between the first two.
    read: async (key) => (await now.read(key)) ?? (await before.read(key)) ?? (await now.read(key)),
    fileOf: () => undefined,
    sizeOf: async (key) => (await now.sizeOf(key)) ?? (await before.sizeOf(key)) ?? (await now.sizeOf(key)),
    async *list() {
      yield* now.list()
      yield* before.list()
    },
    async *listStrays() {
      yield* now.listStrays()
      yield* before.listStrays()
    },
    async remove(key) {
      await before.remove(key)
      await now.remove(key)
    },
    async close() {
      await Promise.all([now.close(), before.close()])
    },
  }
}
