import { upgradeStep } from './upgrade-step.ts'

/**
 * Reads the sender of each parked mail that an earlier version stored without one, so that an erasure of the address finds it. A
 * mail that names nobody keeps its form.
 */
export const sendersOfMailsStep = upgradeStep({
  name: 'sendersOfMails',
  kind: 'inboundMails',
  since: '0.2.0',
  needs: ({ from, status, rawDeletedAt }) => from === null && status === 'parked' && rawDeletedAt === null,
  async upgrade({ _id: id, version: expectVersion, tenantId, attachmentId }, { senderOfMail }) {
    const from = await senderOfMail({ tenantId, id: attachmentId })
    if (from === null) return { writes: [] }
    return { writes: [{ op: 'update', kind: 'inboundMails', id, expectVersion, set: { from } }] }
  },
})
