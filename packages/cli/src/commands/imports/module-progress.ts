import type { ImportStatus } from '@crmkit/sdk'
import { cleanLine } from '../../output/clean-text.ts'
import type { Output } from '../../output/output.ts'
import { counted } from '../../output/plural.ts'
import { startProgress } from '../../output/progress.ts'
import { type ModuleRow, moduleRows } from './run-columns.ts'

/** A log gets a line for each module, and one in between when a module takes long. */
const lineEveryMs = 10_000

/** Shows a run module by module: a bar for the one that is read, and a line for each one that has ended. */
export function startModuleProgress(output: Output) {
  const bar = startProgress(output, 'record')
  const ended = new Set<string>()
  let lineAfter = performance.now() + lineEveryMs
  const say = (line: string) => {
    bar.end()
    output.say(line)
    lineAfter = performance.now() + lineEveryMs
  }
  const showEnded = (rows: readonly ModuleRow[]) => {
    for (const row of rows) {
      if (!row.done || ended.has(row.module)) continue
      ended.add(row.module)
      if (row.read > 0) say(endLine(row))
    }
  }
  const showCurrent = ({ module, read, total: known }: ModuleRow) => {
    const total = Math.max(known ?? 0, read)
    bar.update(read, { total, label: cleanLine(module) })
    const isLog = process.stderr.isTTY !== true
    if (isLog && performance.now() >= lineAfter)
      say(`${cleanLine(module)}: ${read} of ${counted(total, 'record')}`)
  }
  return {
    update({ run, syncProgress: { currentModule } }: ImportStatus): void {
      if (run === null) return
      const rows = moduleRows(run)
      showEnded(rows)
      const current = rows.find(({ module }) => module === currentModule)
      if (current !== undefined && !ended.has(current.module)) showCurrent(current)
    },
    end: () => bar.end(),
  }
}

function endLine({ module, read, created, updated, failed }: ModuleRow): string {
  const parts = [`${counted(read, 'record')} read`, `${created} created`, `${updated} updated`]
  if (failed > 0) parts.push(`${failed} failed`)
  return `${cleanLine(module)}: ${parts.join(', ')}`
}
