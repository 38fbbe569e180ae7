import { openAsBlob } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Option } from '@commander-js/extra-typings'
import type { Attachment } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Client } from '../../profile/open-client.ts'

/** A large file on a slow line; longer than any other call of a person is waited for. */
export const transferMs = 10 * 60_000

export function attachOption() {
  return new Option('--attach <file...>', 'a file to send along; several may follow')
}

/** Throws a usage error for the first one that cannot be sent: nothing is uploaded when one of them is wrong. */
export async function assertReadable(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined)
    const isReadable = await access(path, constants.R_OK).then(
      () => true,
      () => false,
    )
    if (!found?.isFile() || !isReadable) throw usageError(`The file ${path} cannot be read.`)
    if (found.size === 0) throw usageError(`The file ${path} is empty.`)
  }
}

/** Uploads files one after the other, in the order they are named. */
export async function uploadFiles(client: Client, paths: readonly string[]): Promise<Attachment[]> {
  const uploaded: Attachment[] = []
  for (const path of paths) {
    const options = { filename: basename(path), timeout: transferMs, deadline: transferMs }
    const file = await openAsBlob(path)
    uploaded.push(await client.call((crm) => crm.attachments.create(file, options)))
  }
  return uploaded
}

/** What a new message names; undefined when there are no files. */
export async function uploadForMessage(
  client: Client,
  paths: readonly string[] = [],
): Promise<string[] | undefined> {
  const uploaded = await uploadFiles(client, paths)
  return uploaded.length > 0 ? uploaded.map(({ _id }) => _id) : undefined
}
