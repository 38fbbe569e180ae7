/** Reports the progress of a copy: on a terminal one line that changes, elsewhere a line every few seconds. */
export interface ProgressLine {
  /** Prints a permanent line. */
  say(text: string): void
  /** Shows a text that the next one replaces. */
  show(text: string): void
  count(what: string, progress: { rows: number; total: number }): void
  /** Clears the changing line, so that the cursor is at the start of a line. */
  end(): void
}

export interface ProgressOutput {
  isTTY?: boolean | undefined
  write(text: string): unknown
}

const everyMs = { terminal: 200, file: 5_000 }
const clearLine = '\r\u001b[K'

export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

export function createProgressLine(output: ProgressOutput): ProgressLine {
  const isTerminal = output.isTTY === true
  const pauseMs = isTerminal ? everyMs.terminal : everyMs.file
  let shownAtMs = Date.now()
  let isOpen = false

  function end(): void {
    if (isOpen) output.write(clearLine)
    isOpen = false
  }

  function show(text: string): void {
    if (Date.now() - shownAtMs < pauseMs) return
    shownAtMs = Date.now()
    output.write(isTerminal ? `${clearLine}${text}` : `${text}\n`)
    isOpen = isTerminal
  }

  return {
    say(text) {
      end()
      output.write(`${text}\n`)
    },
    show,
    count: (what, { rows, total }) => show(`${what}: ${formatCount(rows)} of ${formatCount(total)}`),
    end,
  }
}
