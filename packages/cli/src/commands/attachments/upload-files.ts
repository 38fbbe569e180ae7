import { openAsBlob } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Option } from '@commander-js/extra-typings'
import type { Attachment } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Client } from '../../profile/open-client.ts'

/** Longer than the timeout of other calls, for a large file on a slow connection. */
export const transferMs = 10 * 60_000

export function attachOption() {
  return new Option('--attach <file...>', 'one or more files to send with the message')
}

/** Throws a usage error for the first unreadable file, so that nothing is uploaded when one of them is wrong. */
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

/** Uploads files in the given order, one call each: a renewed session repeats one file and not all. */
export async function uploadFiles(client: Client, paths: readonly string[]): Promise<Attachment[]> {
  const uploaded: Attachment[] = []
  for (const path of paths) {
    const options = { filename: basename(path), timeout: transferMs, deadline: transferMs }
    const file = await openAsBlob(path)
    uploaded.push(await client.call((crm) => crm.attachments.create(file, options)))
  }
  return uploaded
}

/** The attachment ids for a new message; undefined when there are no files. */
export async function uploadForMessage(
  client: Client,
  paths: readonly string[] = [],
): Promise<string[] | undefined> {
  const uploaded = await uploadFiles(client, paths)
  return uploaded.length > 0 ? uploaded.map(({ _id }) => _id) : undefined
}
