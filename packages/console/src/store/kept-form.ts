import { draftPrefix } from './draft-net.ts'

/** The fields of a form that are not sent yet, in this browser. A sign-out deletes them with the drafts. */
export class KeptForm<Fields> {
  readonly #key: string

  constructor(userId: string, name: string) {
    this.#key = `${draftPrefix(userId)}form:${name}`
  }

  read(): Fields | undefined {
    try {
      return (JSON.parse(localStorage.getItem(this.#key) ?? 'null') as Fields | null) ?? undefined
    } catch {
      return undefined
    }
  }

  put(fields: Fields): void {
    try {
      localStorage.setItem(this.#key, JSON.stringify(fields))
    } catch {
      // Without storage the dialog alone keeps them.
    }
  }

  remove(): void {
    localStorage.removeItem(this.#key)
  }
}
