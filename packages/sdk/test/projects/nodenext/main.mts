import { type ApiError, Crm, type CrmEvent, type Customer, NotFoundError, type Page } from '@crmkit/sdk'
import * as testing from '@crmkit/sdk/testing'
import * as webhooks from '@crmkit/sdk/webhooks'
import { handleWebhooks as handleInExpress } from '@crmkit/sdk/webhooks/express'
import { handleWebhooks as handleInHono } from '@crmkit/sdk/webhooks/hono'
import { handleWebhooks as handleInLambda } from '@crmkit/sdk/webhooks/lambda'
import * as receiver from '@crmkit/sdk/webhooks/next'
import * as widget from '@crmkit/sdk/widget'
import { tellStory } from '../story.mjs'

export const forExpress = handleInExpress({
  secrets: process.env['CRM_WEBHOOK_SECRET'],
  on: { 'customer.created': ({ data }) => data.profile.email },
})
export const forLambda: (event: { body: string }) => Promise<{ statusCode: number }> = handleInLambda({
  secrets: [],
  on: { unknown: ({ eventName }) => eventName.length },
})
export const forHono = handleInHono((context: { req: { raw: Request } }) => ({
  secrets: context.req.raw.url,
  on: {},
}))
// @ts-expect-error a typo in an event's name must not compile
handleInExpress({ secrets: '', on: { 'customer.craeted': () => 1 } })

export function describe(event: CrmEvent): string {
  return event.event === 'conversation.closed' ? event.data.subject : event.event
}
export async function use(crm: Crm): Promise<Page<Customer>> {
  // @ts-expect-error a typo in a body must not compile
  await crm.customers.create({ firstNmae: 'Ada' })
  await crm.customers.get('a').catch((error: ApiError) => error instanceof NotFoundError && error.attempts)
  return crm.customers.list({ tier: 'gold' })
}

const service: { baseUrl: string; apiKey: string } = JSON.parse(process.env['SERVICE'] ?? '')
console.log(await tellStory({ sdk: { Crm, NotFoundError }, webhooks, receiver, testing, widget }, service))
