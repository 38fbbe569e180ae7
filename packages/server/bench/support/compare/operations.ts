import { setTimeout as delay } from 'node:timers/promises'
import { customerOperations } from './customer-operations.ts'
import { liveOperations } from './live-operations.ts'
import { mailOperations } from './mail-operations.ts'
import type { Operation } from './operation.ts'
import { requestsOf } from './requests.ts'
import type { Service } from './service.ts'

const pollMs = 50

async function defaultInbox(service: Service): Promise<string> {
  return (await service.ask('GET', '/api/v1/inboxes'))[0]._id
}

const conversation: Operation = {
  name: 'create a conversation',
  form: 'limited',
  isHot: true,
  async prepare(service) {
    const inboxId = await defaultInbox(service)
    const body = (index: number) => ({ subject: `Question ${index}`, inboxId })
    return requestsOf(service, { method: 'POST', path: '/api/v1/conversations', body })
  },
}

/** A message each in one of 50 conversations. */
const message: Operation = {
  name: 'create a message',
  form: 'limited',
  isHot: true,
  async prepare(service) {
    const inboxId = await defaultInbox(service)
    const ids: string[] = []
    while (ids.length < 50)
      ids.push((await service.ask('POST', '/api/v1/conversations', { subject: 'A question', inboxId }))._id)
    return requestsOf(service, {
      method: 'POST',
      path: (index) => `/api/v1/conversations/${ids[index % ids.length]}/messages`,
      body: (index) => ({ content: `The lamp number ${index} is repaired.` }),
    })
  },
}

const delivery: Operation = {
  name: 'create a customer and deliver its webhook',
  form: 'unlimited',
  isHot: true,
  async prepare(service, { receiver }) {
    const webhook = { name: 'Bench', url: `${receiver.url}/hook`, events: ['customer.created'] }
    await service.ask('POST', '/api/v1/webhooks', webhook)
    const body = (index: number) => ({ firstName: 'Ada', lastName: `Delivered ${index}` })
    const create = requestsOf(service, { method: 'POST', path: '/api/v1/customers', body })
    return async (units) => {
      const before = await receiver.count()
      await create(units)
      while ((await receiver.count()) < before + units) await delay(pollMs)
    }
  },
}

const importedRow: Operation = {
  name: 'import a row of a file',
  form: 'unlimited',
  async prepare(service) {
    const base = '/api/extcrm/integrations'
    const { _id } = await service.ask('POST', base, { provider: 'file', name: 'Bench' })
    let next = 0
    return async (units) => {
      const rows = Array.from({ length: units }, () => {
        const row = next++
        return `${row},First,Last ${row},imported${row}@example.com,+49 171 ${1_000_000 + row}`
      })
      const file = new File([`id,firstName,lastName,email,phone\n${rows.join('\n')}\n`], 'people.csv')
      const form = { module: 'Contacts', file }
      const uploaded = await service.send({ method: 'POST', path: `${base}/${_id}/files`, form })
      if (uploaded.status !== 201) throw new Error(JSON.stringify(uploaded.body))
      await service.ask('POST', `${base}/${_id}/import`, {})
      for (;;) {
        await delay(pollMs)
        const { run } = await service.ask('GET', `${base}/${_id}/import/status`)
        if (run.status === 'completed') return
        if (!['queued', 'running'].includes(run.status)) throw new Error(`the run ended as ${run.status}`)
      }
    }
  },
}

const signIn: Operation = {
  name: 'sign in',
  form: 'unlimited',
  async prepare(service) {
    const { email, password } = service.owner
    return requestsOf(service, { method: 'POST', path: '/api/auth/login', body: () => ({ email, password }) })
  },
}

/** Every operation, in the order of the report. */
export const comparedOperations: readonly Operation[] = [
  ...customerOperations,
  conversation,
  message,
  ...mailOperations,
  delivery,
  importedRow,
  signIn,
  // Their streams stay open, so nothing is measured after them.
  ...liveOperations,
]
