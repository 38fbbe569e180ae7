import { z } from 'zod'

export const manifestName = 'manifest.json'
export const databaseName = 'crm.sqlite'
const attachmentFolder = 'attachments'

/** The first entry of a backup. Its fields never change their meaning; another form has another `format`. */
const manifestSchema = z.object({
  format: z.literal(1),
  /** The crm-server that has made it. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  schema: z.int(),
  database: z.object({ bytes: z.int(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  /** The rows of each kind. */
  rows: z.record(z.string(), z.int()),
  attachments: z.object({
    count: z.int(),
    bytes: z.int(),
    /** Ids of rows whose bytes were missing when the backup was made. */
    missing: z.array(z.string()),
  }),
  /** Attachments whose bytes are in an object store, and not in the backup; there is none without an object store. */
  elsewhere: z.object({ address: z.string(), count: z.int(), bytes: z.int() }).optional(),
  /** Identifies the secrets key without revealing it; null: the database holds nothing that is encrypted. */
  secretsKeyId: z.string().nullable(),
})
export type Manifest = z.output<typeof manifestSchema>

/** Throws for a text that is no manifest, or of a form that this version does not know. */
export function readManifest(text: string): Manifest {
  const parsed = manifestSchema.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  throw new Error('This is not a backup of crm-server, or one of a newer version')
}

interface AttachmentId {
  tenantId: string
  id: string
}

export function attachmentEntry({ tenantId, id }: AttachmentId): string {
  return [attachmentFolder, tenantId, id].map(encodeURIComponent).join('/')
}

/** Reads the name of an entry; undefined when it is not that of an attachment. */
export function attachmentOf(name: string): AttachmentId | undefined {
  const [folder, tenantId, id, ...rest] = name.split('/').map(decodeURIComponent)
  if (folder !== attachmentFolder || rest.length > 0 || !tenantId || !id) return undefined
  return { tenantId, id }
}
