import { Failure, type getSourceFields, headerTargets, notFound, validationFailure } from '@crmkit/core'
import { SourceFailure, type SourceField, type SourceModule } from '../../ports/connector.ts'
import { reachSource } from '../../shared/reach-source.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Handler, HandlerContext } from '../handler.ts'

const cacheMs = 10 * 60_000
const cachedMax = 1_000

interface Cached {
  fields: SourceField[]
  untilMs: number
}

/** The fields of a source change rarely, and each reading costs a request of its daily quota. */
const cache = new Map<string, Cached>()

export const handleGetSourceFields: Handler<typeof getSourceFields> = async (ctx, { params, query }) => {
  const id = query.integrationId ?? query.integration_id ?? query.id
  if (id === undefined) {
    const problem = { field: 'integrationId', message: 'is required', rule: 'required', in: 'query' } as const
    throw validationFailure([problem])
  }
  const row = await ctx.store.integrations.find(id)
  if (row === undefined) throw notFound()
  const { module } = params
  const isUploaded = row.provider === 'file' || row.provider === 'package'
  const fields = isUploaded ? headersOf(row, module) : await fieldsOf(ctx, row, module)
  return { reply: { success: true, data: { module, label: module, fields } } }
}

/** The headers of a file with their targets. */
function headersOf({ mapping }: IntegrationRecord, module: string): SourceField[] {
  if (!Object.hasOwn(headerTargets, module)) return []
  return Object.entries(mapping[module] ?? {}).map(([header, target]) => ({
    apiName: header,
    label: header,
    type: 'text',
    required: false,
    readOnly: false,
    custom: target === null || target.startsWith('customFields.'),
    maxLength: null,
    options: [],
    lookupModule: null,
    mappedTo: target,
  }))
}

async function fieldsOf(
  { services, now }: Pick<HandlerContext, 'services' | 'now'>,
  row: IntegrationRecord,
  module: SourceModule,
): Promise<SourceField[]> {
  const key = `${row.tenantId} ${row._id} ${row.accountId} ${module}`
  const known = cache.get(key)
  const nowMs = Date.parse(now)
  if (known !== undefined && known.untilMs > nowMs) return known.fields
  const connection = services.sources.open(row)
  try {
    const fields = await reachSource((signal) => connection.describe(module, signal))
    cache.delete(key)
    cache.set(key, { fields, untilMs: nowMs + cacheMs })
    const [oldest] = cache.keys()
    if (cache.size > cachedMax && oldest !== undefined) cache.delete(oldest)
    return fields
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    throw new Failure('SERVICE_UNAVAILABLE', 'The source cannot be read at present', {
      headers: { 'Retry-After': '10' },
    })
  } finally {
    await connection.close()
  }
}
