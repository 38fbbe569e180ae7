import { expect, test } from 'vitest'
import { permissions, rolePermissions } from '../contract/permissions.ts'
import { eventTypes } from './event-types.ts'
import { eventPermissions, visibleEventTypes } from './event-visibility.ts'

const areasOf = (granted: Parameters<typeof visibleEventTypes>[0]) => [
  ...new Set(visibleEventTypes(granted).map((type) => type.split('.')[0])),
]

test('shows an event to a caller who may read its content', () => {
  expect(areasOf(['read:customers'])).toEqual(['customer'])
  expect(areasOf(['read:conversations'])).toEqual([])
  expect(areasOf(['read:conversations', 'read:customers'])).toEqual([
    'conversation',
    'customer',
    'message',
    'call',
    'mention',
    'note',
    'inbox',
  ])
  expect(areasOf(['webhook:manage'])).toEqual(['user', 'mail', 'integration'])
  expect(visibleEventTypes(permissions)).toEqual(eventTypes)
})

test('shows all events to admins, and all but user events to other roles', () => {
  expect(visibleEventTypes(rolePermissions.admin)).toEqual(eventTypes)
  for (const role of ['viewer', 'agent'] as const) {
    expect(areasOf(rolePermissions[role])).toEqual([
      'conversation',
      'customer',
      'message',
      'call',
      'mention',
      'note',
      'inbox',
    ])
  }
})

test('shows at least one type for each event permission, and none without one', () => {
  for (const permission of eventPermissions) expect(visibleEventTypes([permission])).not.toEqual([])
  const others = permissions.filter(
    (permission) => !(eventPermissions as readonly string[]).includes(permission),
  )
  expect(visibleEventTypes(others)).toEqual([])
})
