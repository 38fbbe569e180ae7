import { passFaultPoint } from '../../../shared/fault-points.ts'
import { rulesOf, storedKinds } from '../../../storage/kinds/derive.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { Across } from '../connection/access.ts'
import { trusted } from '../connection/filters.ts'
import { decodeRow } from '../rows/encode-row.ts'
import { derivedOf, ruleOf } from '../rows/kinds.ts'

const pageRows = 200
const isOld = { text: trusted({ $exists: true }), searchNumber: trusted({ $exists: false }) }
const fields = ['tenantId', 'id', 'version', 'row']

/** Returns whether there was such a row. A row that changes at the same moment stays as it is. */
async function renewTexts(across: Across, kind: Kind): Promise<boolean> {
  for (let after = ''; ; ) {
    const filter = { ...isOld, _id: trusted({ $gt: after }) }
    const rows = await across.find(kind, filter, { sort: { _id: 1 }, limit: pageRows, fields })
    const last = rows.at(-1)
    if (last === undefined) return after !== ''
    after = last._id
    const updates = rows.map(({ tenantId, id, version, row }) => {
      const { text, grams, searchNumber } = derivedOf(ruleOf(kind), decodeRow(row))
      return { ref: { tenantId, id }, where: { version }, update: { $set: { text, grams, searchNumber } } }
    })
    await across.updateEachByRef(kind, updates)
    passFaultPoint('during-migration')
  }
}

/** Indexes the texts of schema 8 anew. After an interruption, the next start goes on with the rows that are left. */
export async function renewSearch(across: Across): Promise<void> {
  for (const kind of storedKinds.filter((kind) => rulesOf(kind).searchText !== undefined)) {
    let isLeft = true
    while (isLeft) isLeft = await renewTexts(across, kind)
  }
}
