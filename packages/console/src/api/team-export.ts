import type { CreateTenantExport, TenantExport, TenantExportDetails, TenantExportPart } from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const path = '/api/tenant/exports'

export function readExports({ requester }: Crm): Promise<readonly TenantExport[]> {
  return requester.call<readonly TenantExport[]>({ method: 'GET', path }, {})
}

export function createExport({ requester }: Crm, body: CreateTenantExport): Promise<TenantExport> {
  return requester.call<TenantExport>({ method: 'POST', path }, { body })
}

export interface NumberedPart extends TenantExportPart {
  /** From 1; a part that was removed leaves a gap. */
  readonly number: number
}

/** Returns the parts of an export that is ready, in their order. */
export async function readParts({ requester }: Crm, id: string): Promise<NumberedPart[]> {
  const parts: NumberedPart[] = []
  for (;;) {
    const query = { from: (parts.at(-1)?.number ?? 0) + 1 }
    const route = { method: 'GET', path: `${path}/{id}` } as const
    const page = await requester.call<TenantExportDetails>(route, { params: [id], query })
    parts.push(...page.parts.map((part) => ({ ...part, number: Number(part.url.split('/').at(-1)) })))
    if (page.parts.length === 0 || parts.at(-1)?.number === page.partCount) return parts
  }
}

export function downloadPart({ requester }: Crm, id: string, number: number): Promise<Response> {
  return requester.download(
    { method: 'GET', path: `${path}/{id}/parts/{n}` },
    { params: [id, String(number)] },
  )
}
