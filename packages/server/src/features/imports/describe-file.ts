import type { FileSurvey, ImportFile } from '@crmkit/core'
import { describeColumns } from '../../connectors/files/describe-columns.ts'
import { namesErased } from '../../connectors/files/erased-cells.ts'
import { mappingOf } from '../../connectors/files/suggest-mapping.ts'
import { withoutErased } from '../../imports/run/erased-rows.ts'
import type { TenantReads } from '../../ports/storage.ts'
import type { ImportFileRecord, StoredSurvey } from '../../storage/kinds/import-files.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Beginning } from './file-shape.ts'

/** Returns a file as its tenant sees it in a list. */
export function showFile(
  file: ImportFileRecord,
  { mapping }: Pick<IntegrationRecord, 'mapping'>,
): ImportFile {
  const {
    tenantId: _tenant,
    integrationId: _integration,
    archiveId: _archive,
    emailColumns: _emails,
    erased: _erased,
    survey,
    sheet = null,
    sheets = null,
    ...shown
  } = file
  const { updatedAt = file.createdAt } = file
  return {
    ...shown,
    sheet,
    sheets,
    survey: survey ? showSurvey(survey) : null,
    updatedAt,
    mapping: mappingOf(file.module, file, mapping[file.module]),
  }
}

function showSurvey({ status, rows, changed, error }: StoredSurvey): FileSurvey {
  return { status, rows, changed, error }
}

/** Returns a file with its columns, as its first rows show them, or its survey. Rows of erased people are none of them. */
export async function describeFile(
  store: Pick<TenantReads, 'erasedLinks'>,
  file: ImportFileRecord,
  { beginning, integration }: { beginning: Beginning; integration: IntegrationRecord },
): Promise<ImportFile> {
  const { module, headers } = file
  const { mapping, values, dateOrders, isDateOrderChosen = false } = integration
  const rows = beginning.samples.map((cells, row) => {
    const named = headers.map((name, at) => [name, cells[at]] as const)
    const surplus = cells.slice(headers.length)
    return { row, cells, values: new Map(named.filter(([, cell]) => cell !== undefined)), surplus }
  })
  const shown = (await withoutErased({ store, integration, file, rows })).map(({ cells }) => cells)
  const columns = describeColumns(file, shown, {
    chosen: mapping[module],
    values: values?.[module],
    dates: { orders: dateOrders?.[module], isChosen: isDateOrderChosen },
  })
  const rowsRead = file.survey?.rows ?? shown.length
  const outside = beginning.outside.filter(({ text }) => !namesErased([text], file))
  return { ...showFile(file, { mapping }), outside, rowsRead, columns }
}
