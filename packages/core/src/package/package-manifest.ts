import { z } from 'zod'
import { rule } from '../shared/rule.ts'
import { moment } from '../shared/text.ts'
import {
  manifestBytesMax,
  packageFileBytesMax,
  packageFormat,
  packageKinds,
  packageLinesPerFileMax,
  readPackagePath,
} from './package-values.ts'

const kind = z.string().min(1).max(40)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const figure = z.int().min(0)

const counts = z.object({
  total: figure.describe('Records of the kind.'),
  byMonth: z
    .record(z.string().regex(/^\d{4}-\d{2}$/), figure)
    .optional()
    .describe('Records of each month, UTC; absent for a kind without a time.'),
})

/** `manifest.json`: what the package is made of. Unknown fields and kinds of a later 1.x are read over. */
export const packageManifest = z
  .object({
    format: z.literal(packageFormat),
    version: z.string().regex(/^1\.\d{1,4}$/, rule('version', 'must be 1.x')),
    source: z.object({
      product: z.string().min(1).max(100).describe('Product, such as `zendesk`.'),
      account: z
        .string()
        .min(1)
        .max(200)
        .describe('Account at the product; a later package of it meets this one.'),
      url: z.string().max(2_000).nullable().optional().describe('Address of the account.'),
      installation: z.string().max(200).nullable().optional().describe('Installation of the product.'),
    }),
    madeAt: moment.describe('Time at which the package was begun.'),
    since: moment.nullable().optional().describe('It holds what changed since then; null: everything.'),
    timeZone: z.string().max(100).nullable().optional().describe('Time zone of the account.'),
    files: z
      .array(
        z.object({
          name: z
            .string()
            .refine(
              (name) => readPackagePath(name)?.type !== 'manifest',
              rule('name', 'must be a file of the package'),
            ),
          kind,
          lines: figure.max(packageLinesPerFileMax),
          bytes: figure.max(packageFileBytesMax),
          sha256,
        }),
      )
      .max(100_000)
      .refine(
        (files) => new Set(files.map(({ name }) => name)).size === files.length,
        rule('name', 'must name each file once'),
      )
      .refine(
        (files) => files.every(isInPlace),
        rule('name', 'must name files as their kinds: `messages-0001.ndjson`'),
      ),
    counts: z.record(kind, counts),
    leftOut: z
      .array(z.object({ kind, count: figure.nullable(), reason: z.string().max(1_000) }))
      .max(10_000)
      .optional()
      .describe('Records of the source that are not in the package.'),
    complete: z.boolean().optional().describe('Whether the source was read to its end.'),
  })
  .meta({ id: 'PackageManifest', description: 'The manifest of a package.' })
export type PackageManifest = z.output<typeof packageManifest>

function isInPlace({ name, kind: given }: { name: string; kind: string }): boolean {
  const path = readPackagePath(name)
  if (path?.type === 'lines') return path.kind === given
  // A kind of a later version is named, and not read.
  return !packageKinds.some((known) => known === given) && /^[a-z]+-\d{4,6}\.ndjson$/.test(name)
}

/** Returns the text of a manifest. */
export function manifestText(manifest: PackageManifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}

export type ReadManifest =
  | { manifest: PackageManifest }
  | { rule: 'size' | 'json' | 'version' | 'form'; message: string }

/** Reads the text of a manifest. */
export function readManifest(text: string): ReadManifest {
  if (text.length > manifestBytesMax) return { rule: 'size', message: 'is larger than 8 MB' }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return { rule: 'json', message: 'is no JSON' }
  }
  const version: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, 'version') : null
  if (typeof version === 'string' && !version.startsWith('1.'))
    return { rule: 'version', message: `has version ${version.slice(0, 20)}, and 1.x is read` }
  const { data, error } = packageManifest.safeParse(given)
  if (data !== undefined) return { manifest: data }
  const [issue] = error.issues
  return { rule: 'form', message: `${issue?.path.join('.') || 'manifest'}: ${issue?.message ?? 'is wrong'}` }
}

/** Returns the account of a package as an integration has it. */
export function accountOf({ source }: Pick<PackageManifest, 'source'>): string {
  return `${source.product}:${source.account}`
}
