import {
  type Customer as CoreCustomer,
  type OperationId as CoreOperationId,
  eventTypes as coreEventTypes,
  isOfWidget,
  operations,
} from '@crmkit/core'
import { expect, expectTypeOf, it } from 'vitest'
import {
  Crm,
  type CrmEvent,
  type Customer,
  type CustomerDetails,
  type ListedCustomer,
  type OperationId,
  type Page,
} from '../src/index.ts'
import { eventTypes } from '../src/resources/events.gen.ts'

const crm = new Crm({ baseUrl: 'http://crm.invalid' })

it('has a method for every operation of core but those that a visitor’s browser calls', () => {
  expectTypeOf<OperationId>().toEqualTypeOf<Exclude<CoreOperationId, `widget.${string}`>>()
  for (const operation of operations) {
    const { id } = operation
    if (isOfWidget(operation)) continue
    const [area = '', name = ''] = id.split('.')
    const resource: unknown = Reflect.get(crm, area)
    expect(typeof Reflect.get(Object(resource), name), id).toBe('function')
  }
})

it('types results as core declares them, with open enums', () => {
  // Every value of this service fits, and so does a value that only a newer service has.
  expectTypeOf<CoreCustomer>().toExtend<Customer>()
  expectTypeOf<'diamond'>().toExtend<Customer['tier']>()
  expectTypeOf(crm.customers.get).returns.resolves.toEqualTypeOf<CustomerDetails>()
  expectTypeOf(crm.customers.list).returns.resolves.toEqualTypeOf<Page<ListedCustomer>>()
  expectTypeOf(crm.customers.delete).returns.resolves.toEqualTypeOf<{ success: true; message: string }>()
  expectTypeOf(crm.apiKeys.create).returns.resolves.toHaveProperty('key')
  expectTypeOf(crm.apiKeys.get).returns.resolves.not.toHaveProperty('key')
})

it('closes enums in requests and refuses unknown fields', () => {
  type Body = Parameters<typeof crm.customers.create>[0]
  expectTypeOf<{ tier: 'gold'; email: undefined }>().toExtend<Body>()
  expectTypeOf<{ tier: 'diamond' }>().not.toExtend<Body>()
  // @ts-expect-error a typo must not compile
  const typo: Body = { firstNmae: 'Ada' }
  expect(typo).toBeDefined()
  expectTypeOf<{ status: 'open' }>().toExtend<NonNullable<Parameters<typeof crm.conversations.list>[0]>>()
  expectTypeOf<{ status: ['open', 'closed'] }>().toExtend<
    NonNullable<Parameters<typeof crm.conversations.list>[0]>
  >()
})

it('distinguishes events by their type, the unknown ones included', () => {
  expect(eventTypes).toEqual([...coreEventTypes, 'webhook.test'])
  const read = (event: CrmEvent): unknown => {
    switch (event.event) {
      case 'customer.created':
        expectTypeOf(event.data).toEqualTypeOf<Customer>()
        return event.data.profile.email
      case 'conversation.closed':
        expectTypeOf(event.data.customerId).toEqualTypeOf<Customer | null>()
        return event.data.subject
      case 'unknown':
        expectTypeOf(event.eventName).toEqualTypeOf<string>()
        return event.eventName
      default:
        return event.id
    }
  }
  expect(typeof read).toBe('function')
})
