import type { OperationId } from '@crmkit/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CountedService, startCountedService } from '../support/count-commands.ts'
import { dropDatabase, newDatabaseUrl } from '../support/mongo-database.ts'

// A command more is a round trip more, which no test of behaviour notices. `npm run bench commands` has every operation.

const databaseUrl = newDatabaseUrl()
let service: CountedService
beforeAll(async () => {
  service = await startCountedService({ databaseUrl, redisUrl: process.env['CRM_TEST_REDIS_URL'] ?? '' })
})
afterAll(async () => {
  await service.stop()
  await dropDatabase(databaseUrl)
})

const commit = (...writes: string[]) => [...writes, 'insert events', 'commitTransaction']

/** A conversation that changes is counted anew in the background. */
const figures = ['insert figureMarks', 'insert dueFigures']

/** The operations that products call most. */
const hotOperations: Partial<Record<OperationId, string[]>> = {
  'customers.get': ['find customers'],
  'customers.list': ['find customers'],
  'customers.create': [
    'insert customers',
    'insert events',
    'insert dueAttempts',
    'insert attempts',
    'commitTransaction',
  ],
  'customers.update': ['find customers', ...commit('find customers', 'update customers')],
  // To an API key one command fewer: it has read nothing.
  'conversations.get': [
    'find tasks',
    'find conversations',
    'find tasks',
    'find conversationReads',
    'find customers',
  ],
  'conversations.list': ['find tasks', 'find conversations'],
  'conversations.create': [
    'find customers',
    'find users',
    'find inboxes',
    ...commit(
      'find customers',
      'find tasks',
      'insert conversations',
      'insert activities',
      'findAndModify customers',
      'insert messages',
      'insert conversationReads',
      ...figures,
    ),
  ],
  'conversations.update': [
    'find tasks',
    'find conversations',
    'find customers',
    'find users',
    'find inboxes',
    ...commit(
      'find tasks',
      'find conversations',
      'update conversations',
      'insert activities',
      'findAndModify customers',
      ...figures,
    ),
    'find tasks',
    'find conversationReads',
    'find customers',
  ],
  // With an attachment.
  'messages.create': [
    'find tasks',
    'find conversations',
    'find customers',
    'find inboxes',
    'find attachments',
    'find tasks',
    ...commit(
      'find tasks',
      'find attachments',
      'update attachments',
      'delete dueAttachments',
      'insert messages',
      'findAndModify conversations',
      'update conversations',
      'find conversationReads',
      'update conversationReads',
    ),
    'find tasks',
    'find conversationReads',
    // The author has read what mentions them.
    'find tasks',
    'find mentions',
  ],
  'messages.list': ['find tasks', 'find messages', 'find tasks', 'find conversations'],
}

test.each(Object.entries(hotOperations))(
  '%s sends no more commands than these to MongoDB',
  {
    timeout: 60_000,
  },
  async (id, commands) => {
    const sent = await service.commandsOf(id as OperationId)
    expect([...sent].sort()).toEqual([...commands].sort())
  },
)
