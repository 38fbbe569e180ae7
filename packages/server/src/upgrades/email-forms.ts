import { foldEmail, normalizeEmail } from '@crmkit/core/vocabulary'
import { upgradeStep } from './upgrade-step.ts'

// Earlier versions compared e-mails by `foldEmail`. Where another row has the normal form already, a row keeps its key: reads look
// for both, and `crm-server doctor` names it. No field shows that a computed key is that of today, so `needs` stays true of such rows.

const since = '0.2.0'
const renewsKeys = true

function isKeyed(email: string | null): email is string {
  return email !== null && foldEmail(email) !== normalizeEmail(email)
}

const customers = upgradeStep({
  name: 'emailFormsOfCustomers',
  kind: 'customers',
  since,
  needs: ({ profile }) => isKeyed(profile.email),
  async upgrade({ _id: id, version: expectVersion }) {
    return { writes: [{ op: 'update', kind: 'customers', id, expectVersion, set: {}, renewsKeys }] }
  },
})

const users = upgradeStep({
  name: 'emailFormsOfUsers',
  kind: 'users',
  since,
  needs: ({ email, emailNormalized }) => emailNormalized !== normalizeEmail(email),
  async upgrade({ _id: id, version: expectVersion, email }) {
    const set = { emailNormalized: normalizeEmail(email) }
    return { writes: [{ op: 'update', kind: 'users', id, expectVersion, set }] }
  },
})

const identities = upgradeStep({
  name: 'emailFormsOfIdentities',
  kind: 'identities',
  since,
  needs: ({ email }) => email !== normalizeEmail(email),
  async upgrade({ _id: id, version: expectVersion, email }) {
    const set = { email: normalizeEmail(email) }
    return { writes: [{ op: 'update', kind: 'identities', id, expectVersion, set }] }
  },
})

const suppressedAddresses = upgradeStep({
  name: 'emailFormsOfSuppressedAddresses',
  kind: 'suppressedAddresses',
  since,
  needs: ({ address }) => address !== normalizeEmail(address),
  async upgrade({ _id: id, version: expectVersion, address }) {
    const set = { address: normalizeEmail(address) }
    return { writes: [{ op: 'update', kind: 'suppressedAddresses', id, expectVersion, set }] }
  },
})

const inboxes = upgradeStep({
  name: 'emailFormsOfInboxes',
  kind: 'inboxes',
  since,
  needs: ({ email }) => isKeyed(email?.address ?? null),
  async upgrade({ _id: id, version: expectVersion }) {
    return { writes: [{ op: 'update', kind: 'inboxes', id, expectVersion, set: {}, renewsKeys }] }
  },
})

const inboundMails = upgradeStep({
  name: 'emailFormsOfInboundMails',
  kind: 'inboundMails',
  since,
  needs: ({ conversationId, from, envelope }) => conversationId === null && isKeyed(from ?? envelope.from),
  async upgrade({ _id: id, version: expectVersion }) {
    return { writes: [{ op: 'update', kind: 'inboundMails', id, expectVersion, set: {}, renewsKeys }] }
  },
})

const participants = upgradeStep({
  name: 'emailFormsOfParticipants',
  kind: 'conversations',
  since,
  needs: ({ participants = [] }) => participants.some(({ address }) => address !== normalizeEmail(address)),
  async upgrade({ _id: id, version: expectVersion, participants = [] }) {
    const byAddress = new Map(participants.map((one) => [normalizeEmail(one.address), one]))
    const set = { participants: [...byAddress].map(([address, one]) => ({ ...one, address })) }
    return { writes: [{ op: 'update', kind: 'conversations', id, expectVersion, set }] }
  },
})

export const emailForms = [
  customers,
  users,
  identities,
  suppressedAddresses,
  inboxes,
  inboundMails,
  participants,
]
