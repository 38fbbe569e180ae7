import type { Reading } from './reading.ts'
import type { SourceClient } from './source-client.ts'
import type { SourceFiles } from './source-files.ts'

/** The account to read, as a person names it. */
export interface SourceAccount {
  /** The address of the account, which ends with a slash. */
  readonly base: URL
  readonly token: string
  readonly email: string | undefined
  /** The id of the account, where its address does not say it. */
  readonly account: string | undefined
}

/** A part of the work. It goes on behind its mark after an end that nobody wished. */
export interface Step {
  readonly title: string
  readonly run: (reading: Reading) => Promise<void>
}

/** A source on this machine. */
export interface OpenSource {
  /** The time that it shows: a later pass reads what changed since. */
  readonly madeAt: string
  readonly files: Pick<SourceFiles, 'open'>
  close(): Promise<void>
}

/** Reads the accounts of one product. */
export interface Reader {
  /** In the manifest. */
  readonly product: string
  /** As people write it. */
  readonly productName: string
  /** The account as the manifest names it: a later package of it meets this one. */
  accountOf(account: SourceAccount, client: SourceClient): string | Promise<string>
  /** The address of the API, which ends with a slash; default: that of the account. */
  baseOf?(account: SourceAccount): URL
  /** The headers with the credential. */
  headersOf(account: SourceAccount): Readonly<Record<string, string>>
  /** Opens what is on this machine, with a folder for its own files; default: the account is read from its address. */
  open?(account: SourceAccount, folder: string): Promise<OpenSource>
  readonly steps: readonly Step[]
}
