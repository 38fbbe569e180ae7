import { pickName, stepKind } from '../step-kind.ts'
import type { Body, Walker } from '../walker.ts'

const owner = { as: 'owner' } as const

type Kind = 'customers' | 'conversations' | 'users' | 'inboxes' | 'webhooks' | 'keys' | 'imports' | 'none'

/** Reads of rows: of one that is there, and 404 of one that is deleted. */
const reads = {
  'tenant.get': ['none', () => '/api/tenant'],
  'auth.registration': ['none', () => '/api/auth/registration'],
  'users.me': ['none', () => '/api/v1/users/me'],
  'apiKeys.list': ['none', () => '/api/tenant/api-keys?limit=100'],
  'mails.list': ['none', () => '/api/v1/inbound-mails?limit=20'],
  'users.listMentions': ['none', () => '/api/v1/users/me/mentions?limit=20'],
  'drafts.listOwn': ['none', () => '/api/v1/users/me/drafts?limit=20'],
  'calls.list': ['none', () => '/api/telephony/calls?limit=20'],
  'integrations.list': ['none', () => '/api/extcrm/integrations'],
  'doors.list': ['none', () => '/api/v1/doors'],
  'suppressedAddresses.list': ['none', () => '/api/v1/suppressed-addresses'],
  'privacy.export': ['none', () => '/api/data-privacy/export'],
  'privacyRequests.list': ['none', () => '/api/tenant/privacy-requests'],
  'users.get': ['users', (id) => `/api/v1/users/${id}`],
  'inboxes.get': ['inboxes', (id) => `/api/v1/inboxes/${id}`],
  'webhooks.get': ['webhooks', (id) => `/api/v1/webhooks/${id}`],
  'apiKeys.get': ['keys', (id) => `/api/tenant/api-keys/${id}`],
  'customers.export': ['customers', (id) => `/api/v1/customers/${id}/export?format=json`],
  'conversations.recipients': ['conversations', (id) => `/api/v1/conversations/${id}/recipients`],
  'drafts.list': ['conversations', (id) => `/api/v1/conversations/${id}/drafts`],
  'integrations.get': ['imports', (id) => `/api/extcrm/integrations/${id}`],
  'imports.list': ['imports', (id) => `/api/extcrm/integrations/${id}/imports`],
} as const satisfies Readonly<Record<string, readonly [Kind, (id: string) => string]>>

export type Read = keyof typeof reads
const names = Object.keys(reads) as Read[]

function isGoneOf(walker: Walker, kind: Kind, name: string): boolean {
  const { model } = walker
  if (kind === 'none' || kind === 'imports') return false
  return model[kind].get(name)?.isGone === true
}

/** The bytes of a file are read by its own request. */
function isInFile({ model }: Walker, marker: string): boolean {
  return [...model.attachments.values()].some(({ fields }) => String(fields['text']).includes(marker))
}

/** The download of a customer holds what is theirs. */
function expectExport(walker: Walker, body: Body, name: string): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  for (const [marker, home] of walker.model.texts) {
    if (home.customer !== name || home.conversation == null || home.isReplaced) continue
    if (isInFile(walker, marker)) continue
    walker.same(text.includes(marker), true, `the export of ${name} holds ${marker}`)
  }
}

export const readSteps = {
  'reads.one': stepKind<{ read: Read; of: string | null }>({
    weight: 8,
    choose(choosing) {
      const { random, model } = choosing
      const read = random.pick(names)
      const [kind] = reads[read]
      if (kind === 'none') return { read, of: null }
      const some =
        kind === 'imports'
          ? new Map([...model.imports.keys()].map((name) => [name, { name, isGone: false }]))
          : model[kind]
      const of = pickName(choosing, some)
      return of && { read, of }
    },
    async run(walker, { read, of }) {
      const [kind, pathOf]: readonly [Kind, (id: string) => string] = reads[read]
      const status = of !== null && isGoneOf(walker, kind, of) ? 404 : 200
      const body = await walker.expect(
        status,
        'GET',
        pathOf(of === null ? '' : walker.id(of)),
        undefined,
        owner,
      )
      if (read === 'customers.export' && status === 200 && of !== null) expectExport(walker, body, of)
    },
  }),
}
