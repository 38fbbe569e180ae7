export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const person = { type: 'person', id: 'p1' } as const

/** A small history with everything in it. `agentEmail` is that of a user. */
export const historyOf = (agentEmail: string) =>
  ({
    agents: [
      { id: 'a1', name: 'Olive Owner', email: agentEmail },
      { id: 'a2', name: 'Former Fred', email: 'fred@old.example' },
    ],
    inboxes: [{ id: 'i1', name: 'Support' }],
    organisations: [{ id: 'o1', name: 'Analytical Engines' }],
    people: [
      {
        id: 'p1',
        name: 'Ada Ruiz',
        emails: [{ address: 'ada.home@example.com' }, { address: 'ada@example.com', isPrimary: true }],
        phones: [{ number: '+4930123456' }, { number: '+4930999999' }],
        organisationId: 'o1',
        tags: ['vip'],
        tier: 'gold',
        isBlocked: true,
        createdAt: '2025-01-02T03:04:05.000Z',
        externalUrl: 'https://acme.zendesk.com/users/p1',
      },
    ],
    conversations: [
      {
        id: 'c1',
        subject: 'Printer',
        status: 'open',
        statusWord: 'Waiting on us',
        priority: 'high',
        personId: 'p1',
        assigneeId: 'a1',
        inboxId: 'i1',
        labels: ['hardware'],
        createdAt: '2025-02-01T10:00:00.000Z',
        updatedAt: '2025-02-03T10:00:00.000Z',
      },
      {
        id: 'c2',
        subject: '',
        status: 'closed',
        personId: 'p1',
        previousId: 'c1',
        createdAt: '2025-03-01T10:00:00.000Z',
        closedAt: '2025-03-02T10:00:00.000Z',
      },
    ],
    messages: [
      {
        id: 'm1',
        conversationId: 'c1',
        direction: 'inbound',
        author: person,
        content: '<p>It <b>smokes</b><script>x</script> <img src="cid:pic"></p>',
        contentType: 'html',
        createdAt: '2025-02-01T10:00:00.000Z',
        messageId: '<first@example.com>',
        attachmentIds: ['f1', 'f2'],
      },
      {
        id: 'm2',
        conversationId: 'c1',
        direction: 'outbound',
        author: { type: 'agent', id: 'a1' },
        content: 'Switch it off',
        contentType: 'text',
        createdAt: '2025-02-02T10:00:00.000Z',
        to: [{ address: 'ada@example.com' }],
        messageId: '<reply@acme.example>',
        inReplyTo: '<first@example.com>',
        attachmentIds: ['f3'],
      },
      {
        id: 'm3',
        conversationId: 'c2',
        direction: 'outbound',
        author: { type: 'agent', id: 'a2' },
        content: 'Gone',
        contentType: 'text',
        createdAt: '2025-03-01T11:00:00.000Z',
      },
    ],
    notes: [
      {
        id: 'n1',
        conversationId: 'c1',
        author: { type: 'agent', id: 'a2' },
        content: 'Sent a technician',
        contentType: 'text',
        createdAt: '2025-02-02T12:00:00.000Z',
      },
      {
        id: 'n2',
        personId: 'p1',
        author: { type: 'agent', id: 'a1' },
        content: 'Likes tea',
        contentType: 'text',
        createdAt: '2025-02-02T13:00:00.000Z',
      },
    ],
    calls: [
      {
        id: 'k1',
        personId: 'p1',
        agentId: 'a1',
        direction: 'inbound',
        startedAt: '2025-02-05T10:00:00.000Z',
        durationSeconds: 60,
        notes: 'About toner',
      },
    ],
    ratings: [{ conversationId: 'c1', score: 1, scale: 1, comment: 'Fast', at: '2025-02-04T10:00:00.000Z' }],
    suppressions: [{ address: 'gone@example.com', reason: 'hard bounce' }],
  }) as const

export const filesOfHistory = {
  f1: { filename: 'printer.png', bytes: png, contentId: 'pic' },
  f2: { filename: 'report.txt', bytes: Buffer.from('a report') },
  // Equal bytes: one upload, two messages.
  f3: { filename: 'copy.txt', bytes: Buffer.from('a report') },
}
