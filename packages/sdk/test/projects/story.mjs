// What every project does with the installed package, in whatever way it got hold of it.
export async function tellStory({ sdk, webhooks, receiver, testing, widget }, { baseUrl, apiKey }) {
  const crm = new sdk.Crm({ baseUrl, apiKey })
  const customer = await crm.customers.create({ firstName: 'Ada', email: 'ada@example.com', tags: ['story'] })
  const { data, response } = await crm.customers.get(customer._id).withResponse()
  assert(data.profile.firstName === 'Ada' && response.status === 200, 'the created customer is read')
  const found = []
  for await (const { _id } of crm.customers.list({ tags: ['story'] })) found.push(_id)
  assert(found.includes(customer._id), 'a walk finds it')
  await crm.customers.delete(customer._id)
  const gone = await crm.customers.get(customer._id).catch((error) => error)
  assert(gone instanceof sdk.NotFoundError && gone.requestId !== undefined, 'a 404 is a NotFoundError')

  const event = testing.makeEvent('customer.created')
  const secrets = testing.testSecret
  const known = await webhooks.unwrapWebhook(await testing.signedRequest(event), { secrets })
  assert(known.id === event.id, 'a delivery verifies')
  const { body, headers } = await testing.signedDelivery(event)
  const refusal = await webhooks
    .verifyWebhook({ body: `${body} `, headers }, { secrets })
    .catch((error) => error)
  assert(
    refusal instanceof webhooks.WebhookVerificationError && refusal.code === 'mismatch',
    'a changed body is refused',
  )

  const errors = []
  const post = receiver.handleWebhooks({ secrets, on: {}, onError: (error) => errors.push(error) })
  assert((await post(await testing.signedRequest(event))).status === 200, 'the handler takes it')
  const wrong = await testing.signedRequest(event, { secret: 'whsec_d3Jvbmc=' })
  assert((await post(wrong)).status === 400, 'the handler refuses another secret')
  assert(errors[0] instanceof webhooks.WebhookVerificationError, 'both entries share one error class')

  const userToken = await widget.signWidgetUser('wis_c3Rvcnk', { userId: 'user-1', name: 'Ada' })
  assert(/^[\w-]+\.[\w-]+\.[\w-]{43}$/.test(userToken), 'a user of the widget is signed')
  return 'passed'
}

function assert(isTrue, claim) {
  if (!isTrue) throw new Error(`Not so: ${claim}`)
}
