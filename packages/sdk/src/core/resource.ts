import type { Requester } from './requester.ts'

/** What the generated resource classes share. */
export abstract class Resource {
  protected readonly requester: Requester

  constructor(requester: Requester) {
    this.requester = requester
  }
}
