import type { IncomingMessage, ServerResponse } from 'node:http'
import { startReceiver, type TestCertificate } from '../../support/https-receiver.ts'
import { Inbox, type InboxSetting, type SeenEvent } from './inbox.ts'
import type { Random } from './random.ts'

interface ReceivedDelivery {
  req: IncomingMessage
  res: ServerResponse
  seen: SeenEvent
  /** Marks the delivery as accepted. */
  succeed(): void
}

/** Responds to a delivery. */
export type Behaviour = (delivery: ReceivedDelivery) => void

export const healthy: Behaviour = ({ res, succeed }) => {
  succeed()
  res.end('ok')
}

/** Refuses the first delivery of some events, so that there are retries. */
export function flaky(random: Random, oneIn: number): Behaviour {
  return (delivery) => {
    const isRefused = delivery.seen.requests === 1 && random.isOneIn(oneIn)
    if (isRefused) delivery.res.writeHead(500).end()
    else healthy(delivery)
  }
}

/** One HTTPS server for the receivers of many webhooks, which are distinguished by their path. */
export async function startReceivers(certificate: Pick<TestCertificate, 'key' | 'cert'>) {
  const inboxes = new Map<string, { inbox: Inbox; behave: Behaviour }>()
  const early: string[] = []
  const receiver = await startReceiver(certificate, (req, res) => {
    const request = receiver.requests.pop()
    const found = inboxes.get(req.url ?? '')
    if (request === undefined || found === undefined) {
      early.push(req.url ?? '')
      res.writeHead(500).end()
      return
    }
    res.once('close', found.inbox.begin(request))
    const seen = found.inbox.note(request)
    found.behave({ req, res, seen, succeed: () => found.inbox.succeed(seen) })
  })
  return {
    /** Returns the address for a new webhook. */
    urlOf: (name: string) => `https://127.0.0.1:${receiver.port}/${name}`,
    open(setting: InboxSetting, behave: Behaviour): Inbox {
      const inbox = new Inbox(setting)
      inboxes.set(`/${setting.name}`, { inbox, behave })
      return inbox
    },
    inboxes: () => [...inboxes.values()].map(({ inbox }) => inbox),
    cutConnections: () => receiver.cutConnections(),
    close: () => receiver.close(),
  }
}
export type Receivers = Awaited<ReturnType<typeof startReceivers>>
