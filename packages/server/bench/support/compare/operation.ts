import type { SendMany } from './requests.ts'
import type { Form, Service } from './service.ts'

/** One thing that the comparison lets a service do. */
export interface Operation {
  name: string
  form: Form
  /** One of the ten that are measured on MongoDB too. */
  isHot?: true
  /** Makes what the operation needs, and returns what does it so many times. */
  prepare(service: Service, world: World): Promise<SendMany>
}

/** The parts that all operations share. */
export interface World {
  receiver: Receiver
}

/** A receiver of webhooks in a process of its own. */
export interface Receiver {
  url: string
  /** Deliveries so far. */
  count(): Promise<number>
}
