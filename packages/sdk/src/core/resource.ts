import type { Requester } from './requester.ts'

/** Base of the generated resource classes. */
export abstract class Resource {
  protected readonly requester: Requester

  constructor(requester: Requester) {
    this.requester = requester
  }
}
