import type { Output } from './output.ts'
import { counted } from './plural.ts'

/** Shows the progress of a long operation on stderr. */
export interface Progress {
  update(done: number, of?: ProgressTarget): void
  /** Erases the line, so that the result follows. */
  end(): void
}

export interface ProgressTarget {
  /** Undefined: unknown. */
  readonly total?: number | undefined
  /** The part of the operation that the figures are about. */
  readonly label?: string
}

/** An operation that ends sooner needs no bar. */
const firstDrawMs = 500
const redrawMs = 100
const barWidth = 24
const silent: Progress = { update: () => {}, end: () => {} }

/** Draws a bar on a terminal without `--quiet`, and nothing elsewhere, so that a log contains no bars. */
export function startProgress(output: Output, noun: string): Progress {
  const { stderr } = process
  if (stderr.isTTY !== true || output.isQuiet) return silent
  let drawAfter = performance.now() + firstDrawMs
  let drawnWidth = 0
  return {
    update: (done, { total, label } = {}) => {
      if (performance.now() < drawAfter) return
      drawAfter = performance.now() + redrawMs
      // One column stays free: a full line would wrap, and `end` would not erase all of it.
      const line = lineOf({ done, total, label, noun }).slice(0, (stderr.columns || 80) - 1)
      // Blanks instead of an escape sequence, for terminals without escape sequences.
      stderr.write(`\r${line.padEnd(drawnWidth)}`)
      drawnWidth = line.length
    },
    end: () => {
      if (drawnWidth > 0) stderr.write(`\r${' '.repeat(drawnWidth)}\r`)
      drawnWidth = 0
    },
  }
}

interface ProgressState {
  readonly done: number
  readonly total: number | undefined
  readonly label: string | undefined
  readonly noun: string
}

function lineOf({ label, ...state }: ProgressState): string {
  return label === undefined ? figuresOf(state) : `${label}: ${figuresOf(state)}`
}

function figuresOf({ done, total, noun }: Omit<ProgressState, 'label'>): string {
  if (total === undefined || total === 0) return counted(done, noun)
  const filled = Math.round(Math.min(1, done / total) * barWidth)
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`
  return `${bar} ${done.toLocaleString('en')} of ${counted(total, noun)}`
}
