// Posts deliveries to both routes of the running app, and prints `passed` when each response is right.
import { makeEvent, signedDelivery } from '@crmkit/sdk/testing'

const { baseUrl } = JSON.parse(process.env.SERVICE)
const event = makeEvent('customer.created', { data: { profile: { lastName: 'Gräfin ✓' } } })
const good = await signedDelivery(event)

for (const route of ['node', 'edge']) {
  await expectAnswer(route, good, 200)
  await expectAnswer(route, { ...good, body: `${good.body} ` }, 400)
  await expectAnswer(route, await signedDelivery(makeEvent('user.created')), 500)
}
console.log('passed')

async function expectAnswer(route, { body, headers }, expected) {
  const { status } = await fetch(`${baseUrl}/api/${route}`, { method: 'POST', body, headers })
  if (status !== expected) throw new Error(`${route} answered ${status}, not ${expected}`)
}
