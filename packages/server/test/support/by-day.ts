/** True at night and for files that are named: then every case runs. */
export const runsAll = process.env['CRM_TEST_SCOPE'] === 'all'

/** By day the first of these, at night all of them. */
export function firstByDay<T>(all: readonly T[], count: number): readonly T[] {
  return runsAll ? all : all.slice(0, count)
}

/** By day each n-th of these, another for each turn, so that the turns of a test meet all of them; at night all of them. */
export function eachNthByDay<T>(all: readonly T[], n: number, turn: number): readonly T[] {
  return runsAll ? all : all.filter((_one, index) => index % n === turn % n)
}
