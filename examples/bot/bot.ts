// A bot that replies to the first message of a customer, and leaves everything else to people. It follows the event stream,
// so it needs no address that the server reaches.
import { Crm } from '@crmkit/sdk'

const crm = new Crm({
  baseUrl: process.env['CRM_BASE_URL'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['CRM_API_KEY'] ?? '',
})
const greeting = 'Thank you for your message. A person replies within two hours.'

// A position that a service of yours stores: after a restart it misses no event.
const after = process.env['BOT_AFTER']

console.log('the bot follows the events')
for await (const event of crm.events.stream({ types: ['message.received'], ...(after && { after }) })) {
  const { data } = JSON.parse(event.body)
  const conversation = await crm.conversations.get(data.conversationId)
  // A reply by anybody, this bot included, is a response: the bot replies once, even when it sees an event twice.
  if (conversation.firstResponseAt !== null || conversation.status === 'closed') continue
  await crm.messages.create(conversation._id, {
    content: greeting,
    // The same id makes no second message, also when two bots run.
    clientMessageId: `greeting-${conversation._id}`,
  })
  console.log(`replied to ${conversation._id}, position ${event.position}`)
}
