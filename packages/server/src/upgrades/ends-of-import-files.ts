import { upgradeStep } from './upgrade-step.ts'

const keepMs = 7 * 24 * 3600 * 1000

/** Gives files of imports that an earlier version took, and that no run has read, the end that an upload gives them today. */
export const endsOfImportFilesStep = upgradeStep({
  name: 'endsOfImportFiles',
  kind: 'attachments',
  since: '0.3.0',
  needs: ({ integrationId, keptUntil, erasedAt }) =>
    integrationId !== undefined && keptUntil === undefined && erasedAt === null,
  async upgrade({ _id: id, version: expectVersion, createdAt }) {
    const keptUntil = new Date(Date.parse(createdAt) + keepMs).toISOString()
    return { writes: [{ op: 'update', kind: 'attachments', id, expectVersion, set: { keptUntil } }] }
  },
})
