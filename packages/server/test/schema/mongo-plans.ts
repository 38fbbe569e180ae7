import type mongoose from 'mongoose'
import { allOf } from '../../src/adapters/mongo/connection/filters.ts'
import { kindQuery } from '../../src/adapters/mongo/lists/kind-list.ts'
import { sortOf } from '../../src/adapters/mongo/lists/list-query.ts'
import { fieldOf } from '../../src/adapters/mongo/rows/fields.ts'
import { type AskedList, unservedList } from './list-plans.ts'

interface Stage {
  stage: string
  keyPattern?: Record<string, unknown>
  inputStage?: Stage
  inputStages?: Stage[]
  queryPlan?: Stage
}

function stagesOf(stage: Stage): Stage[] {
  const inner = [stage.inputStage, stage.queryPlan, ...(stage.inputStages ?? [])]
  return [stage, ...inner.flatMap((found) => (found ? stagesOf(found) : []))]
}

function problemOf(stages: readonly Stage[], { kind, isSortedByIndex, foundBy }: AskedList) {
  const names = stages.map(({ stage }) => stage)
  const indexes = stages.flatMap(({ keyPattern }) => (keyPattern ? [Object.keys(keyPattern)] : []))
  if (names.includes('COLLSCAN') || indexes.length === 0) return 'uses no index'
  if (isSortedByIndex && names.includes('SORT')) return 'is sorted in memory'
  const field = foundBy === undefined ? undefined : fieldOf(kind, foundBy)
  const isFound = field === undefined || indexes.every((fields) => fields.includes(field))
  return isFound ? undefined : `finds no row by ${field} in an index`
}

/**
 * Returns the problem with how MongoDB can read a list; undefined when an index serves it. The winning plan depends
 * on the stored rows, so one of all plans has to be served.
 */
export async function mongoPlanProblem(
  connection: mongoose.Connection,
  asked: AskedList,
): Promise<string | undefined> {
  const { kind, filter } = asked
  const { where, order } = kindQuery(kind, filter as never)
  const query = connection.collection(kind).find({ ...allOf(where), tenantId: 'ten_1' })
  const explained = await query.sort(sortOf(order)).limit(filter.limit).explain('queryPlanner')
  const { winningPlan, rejectedPlans } = explained['queryPlanner'] as {
    winningPlan: Stage
    rejectedPlans: Stage[]
  }
  const problems = [winningPlan, ...rejectedPlans].map((plan) => problemOf(stagesOf(plan), asked))
  const [why] = problems
  if (why === undefined || problems.includes(undefined)) return undefined
  return unservedList(asked, why, 'packages/server/src/adapters/mongo/connection/migrate.ts (schemaVersion)')
}
