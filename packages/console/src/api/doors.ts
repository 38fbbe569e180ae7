import type { Door } from '@crmkit/sdk'
import type { Crm } from './crm.ts'

const doors = { method: 'GET', path: '/api/v1/doors' } as const
const query = { limit: 100 }

/** Returns the doors of the team that do not work at present. */
export async function readDoors({ requester }: Crm): Promise<readonly Door[]> {
  return (await requester.list<Door>(doors, { query })).data
}
