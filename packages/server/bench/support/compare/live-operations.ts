import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { switchWidgetOn, WidgetVisitor } from '../../../test/support/widget-visitor.ts'
import type { Operation } from './operation.ts'
import { requestsOf } from './requests.ts'
import type { Service } from './service.ts'

const streams = 100
/** A session may have five streams. */
const streamsPerSession = 5

const widgetMessage: Operation = {
  name: 'a message of a visitor in the widget',
  form: 'unlimited',
  async prepare(service) {
    const widget = await switchWidgetOn(service.url, service.owner.token)
    const visitor = new WidgetVisitor(service.url)
    await visitor.begin(widget.key)
    const { _id } = await visitor.ask('Hello')
    return requestsOf(service, {
      method: 'POST',
      path: `/api/v1/widget/conversations/${_id}/messages`,
      token: visitor.token ?? '',
      body: (index) => ({ content: `Hello for the ${index}. time`, clientMessageId: randomUUID() }),
    })
  },
}

/** Follows the live events of a session; the stream ends with the service. */
async function openStream(service: Service, token: string): Promise<void> {
  const opened = Promise.withResolvers<number>()
  const headers = { authorization: `Bearer ${token}` }
  const path = '/api/v1/events/stream?live=true'
  const req = request(service.url + path, { headers, agent: false }, (res) => {
    opened.resolve(res.statusCode ?? 0)
    res.resume().on('error', () => {})
  })
  req.on('error', opened.reject).end()
  if ((await opened.promise) !== 200) throw new Error(`${path} was refused`)
}

const liveChange: Operation = {
  name: `change a conversation beside ${streams} live streams`,
  form: 'unlimited',
  async prepare(service) {
    const inboxId = (await service.ask('GET', '/api/v1/inboxes'))[0]._id
    const { _id } = await service.ask('POST', '/api/v1/conversations', { subject: 'A question', inboxId })
    const { email, password } = service.owner
    for (let session = 0; session < streams / streamsPerSession; session++) {
      const { accessToken } = await service.ask('POST', '/api/auth/login', { email, password })
      for (let stream = 0; stream < streamsPerSession; stream++) await openStream(service, accessToken)
    }
    return requestsOf(service, {
      method: 'PUT',
      path: `/api/v1/conversations/${_id}`,
      body: (index) => ({ status: index % 2 === 0 ? 'pending' : 'open' }),
    })
  },
}

export const liveOperations: readonly Operation[] = [widgetMessage, liveChange]
