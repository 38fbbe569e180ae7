import type { SendMany } from './requests.ts'
import type { Form, Service } from './service.ts'

/** What the comparison measures of a service. */
export interface Operation {
  name: string
  form: Form
  /** One of the ten that are measured on MongoDB too. */
  isHot?: true
  /** Makes what the operation needs, and returns what does it so many times. */
  prepare(service: Service, world: World): Promise<SendMany>
}

/** What all operations share. */
export interface World {
  receiver: Receiver
}

/** A receiver of webhooks in a process of its own. */
export interface Receiver {
  url: string
  /** Deliveries so far. */
  count(): Promise<number>
}
