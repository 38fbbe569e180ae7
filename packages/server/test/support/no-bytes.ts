import type { AttachmentStore } from '../../src/ports/attachment-store.ts'

/** For imports of sources that are no packages: they read no bytes. */
export const noBytes: Pick<AttachmentStore, 'read' | 'write' | 'fileOf'> = {
  fileOf: () => undefined,
  read: async () => undefined,
  write: async () => {
    throw new Error('only a package has bytes')
  },
}
