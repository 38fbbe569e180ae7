import type { Output } from './output.ts'
import { counted } from './plural.ts'

/** How far a long walk has come, on stderr. */
export interface Progress {
  /** `total` may be unknown. */
  update(done: number, total?: number): void
  /** Wipes the line: what follows is the result. */
  end(): void
}

/** A walk that ends sooner needs no bar. */
const firstDrawMs = 500
const redrawMs = 100
const barWidth = 24
const silent: Progress = { update: () => {}, end: () => {} }

/** A bar on a terminal that nobody silenced; nothing anywhere else, so that a log holds no bars. */
export function startProgress(output: Output, noun: string): Progress {
  const { stderr } = process
  if (stderr.isTTY !== true || output.isQuiet) return silent
  let drawAfter = performance.now() + firstDrawMs
  let drawnWidth = 0
  return {
    update: (done, total) => {
      if (performance.now() < drawAfter) return
      drawAfter = performance.now() + redrawMs
      // One column stays free: a full line would wrap, and the wiping would miss a part of it.
      const line = lineOf({ done, total, noun }).slice(0, (stderr.columns || 80) - 1)
      // Blanks and no escape sequence, for terminals that know none.
      stderr.write(`\r${line.padEnd(drawnWidth)}`)
      drawnWidth = line.length
    },
    end: () => {
      if (drawnWidth > 0) stderr.write(`\r${' '.repeat(drawnWidth)}\r`)
      drawnWidth = 0
    },
  }
}

function lineOf({ done, total, noun }: { done: number; total: number | undefined; noun: string }): string {
  if (total === undefined || total === 0) return counted(done, noun)
  const filled = Math.round(Math.min(1, done / total) * barWidth)
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`
  return `${bar} ${done.toLocaleString('en')} of ${counted(total, noun)}`
}
