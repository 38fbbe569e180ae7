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
  return {
    update({ run, syncProgress: { currentModule } }: ImportStatus): void {
      if (run === null) return
      if (run.undo.status === 'running') {
        bar.update(run.undo.removed + run.undo.restored, { label: 'Undo' })
        return
      }
      for (const row of moduleRows(run)) {
        if (!row.done || ended.has(row.module)) continue
        ended.add(row.module)
        say(endLine(row))
      }
      const current = moduleRows(run).find(({ module }) => module === currentModule)
      if (current === undefined || ended.has(current.module)) return
      const total = Math.max(current.total ?? 0, current.read)
      bar.update(current.read, { total, label: cleanLine(current.module) })
      const isLog = process.stderr.isTTY !== true
      if (isLog && performance.now() >= lineAfter)
        say(`${cleanLine(current.module)}: ${current.read} of ${counted(total, 'record')}`)
    },
    end: () => bar.end(),
  }
}

function endLine({ module, read, created, updated, failed }: ModuleRow): string {
  const parts = [`${counted(read, 'record')} read`, `${created} created`, `${updated} updated`]
  if (failed > 0) parts.push(`${failed} failed`)
  return `${cleanLine(module)}: ${parts.join(', ')}`
}
