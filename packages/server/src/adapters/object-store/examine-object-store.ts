import { randomUUID } from 'node:crypto'
import type { Finding } from '../../ports/diagnosis.ts'
import { isRefused, type ObjectClient, type ObjectPlace, openObjectClient } from './object-client.ts'
import { listUploads } from './object-parts.ts'

/** A store refuses a signature whose time differs by 15 minutes from its own. */
const skewMaxSeconds = 60
const uploadHoursMax = 24

/** Writes, reads and removes a small object in the place of attachments, and looks at what would keep bytes that are erased. */
export async function examineObjectStore(place: ObjectPlace, nowMs: number): Promise<readonly Finding[]> {
  const client = openObjectClient(place)
  const [path = ''] = place.address.split('?', 1)
  const tried = await trySmallObject(client, nowMs)
  const problem = (sentence: string): Finding => ({
    outcome: 'problem',
    sentence: `${path}: ${sentence}`,
    mend: 'Set CRM_ATTACHMENTS and CRM_ATTACHMENTS_KEY right; the key needs s3:PutObject, s3:GetObject, s3:DeleteObject and s3:ListBucket',
  })
  const skew = skewFinding(tried.skewSeconds)
  if (tried.sentence !== undefined) return [problem(tried.sentence), ...skew]
  const well: Finding = {
    outcome: 'ok',
    sentence: `A small object can be written, read and removed in ${path}.`,
  }
  return [well, ...skew, ...(await versionFindings(client)), ...(await uploadFindings(client, nowMs))]
}

interface Tried {
  sentence: string | undefined
  /** How far this machine's clock is before the store's; undefined: it names no time. */
  skewSeconds: number | undefined
}

async function trySmallObject(client: ObjectClient, nowMs: number): Promise<Tried> {
  const name = `${client.prefix}examined-${randomUUID()}`
  const body = Buffer.from(name)
  const put = await client.ask({ method: 'PUT', name, body })
  const date = Date.parse(put.headers.get('date') ?? '')
  const skewSeconds = Number.isNaN(date) ? undefined : Math.round((nowMs - date) / 1000)
  if (isRefused(put)) return { sentence: client.refusal(put).message, skewSeconds }
  const got = await client.ask({ name })
  const removed = await client.ask({ method: 'DELETE', name })
  const after = await client.ask({ name })
  if (isRefused(got)) return { sentence: client.refusal(got).message, skewSeconds }
  if (!got.body.equals(body)) return { sentence: 'it returns other bytes than were written', skewSeconds }
  if (isRefused(removed)) return { sentence: client.refusal(removed).message, skewSeconds }
  if (after.code !== 'NoSuchKey')
    return { sentence: 'an object can still be read after it was removed', skewSeconds }
  return { sentence: undefined, skewSeconds }
}

function skewFinding(seconds: number | undefined): Finding[] {
  if (seconds === undefined || Math.abs(seconds) <= skewMaxSeconds) return []
  const direction = seconds > 0 ? 'before' : 'behind'
  return [
    {
      outcome: 'problem',
      sentence: `The clock of this machine is ${Math.abs(seconds)} s ${direction} that of the object store, which refuses requests from 900 s on.`,
      mend: 'Let the machine follow a time server',
    },
  ]
}

/** A store without versions may not know the question. */
async function versionFindings(client: ObjectClient): Promise<Finding[]> {
  const reply = await client.ask({ name: '', query: { versioning: '' } })
  if (isRefused(reply) || !reply.body.toString().includes('<Status>Enabled</Status>')) return []
  const versions = await client.ask({
    name: '',
    query: { versions: '', prefix: client.prefix, 'max-keys': '1' },
  })
  if (!isRefused(versions))
    return [
      {
        outcome: 'ok',
        sentence:
          'The bucket keeps versions: a removal deletes each of them, which needs s3:DeleteObjectVersion.',
      },
    ]
  return [
    {
      outcome: 'problem',
      sentence: 'The bucket keeps versions, and the key may not list them: erased files would stay.',
      mend: 'Give the key s3:ListBucketVersions and s3:DeleteObjectVersion, or switch the versions off',
    },
  ]
}

async function uploadFindings(client: ObjectClient, nowMs: number): Promise<Finding[]> {
  const uploads = await listUploads(client)
  const old = uploads.filter(({ at }) => nowMs - Date.parse(at) > uploadHoursMax * 3_600_000)
  if (old.length === 0) return []
  return [
    {
      outcome: 'warning',
      sentence: `${old.length} uploads in parts began more than ${uploadHoursMax} hours ago and never ended.`,
      mend: 'Give the bucket a rule that ends incomplete uploads (AbortIncompleteMultipartUpload) after a day',
    },
  ]
}
