import type { JSX } from 'preact'
import { more } from '../strings/more.ts'
import { Button } from './button.tsx'
import { download } from './download.ts'
import { ProblemText, useSending } from './sending.tsx'

interface ExportButtonsProps {
  /** Of the file, without its ending. */
  readonly name: string
  readonly read: (format: 'json' | 'csv') => Promise<Response>
  readonly onDone?: () => void
}

/** Give all stored data of somebody to the person at the screen, in one of two formats. */
export function ExportButtons({ name, read, onDone }: ExportButtonsProps): JSX.Element {
  const { isSending, problem, send } = useSending()
  const give = async (format: 'json' | 'csv') => {
    const response = await read(format)
    download(await response.blob(), `${name}.${format}`)
    onDone?.()
  }
  return (
    <>
      <ProblemText problem={problem} />
      <p class="dialog-buttons">
        {(['json', 'csv'] as const).map((format) => (
          <Button
            key={format}
            isDisabled={isSending}
            onClick={() => send(() => give(format), more.export.done)}
          >
            {more.export[format]}
          </Button>
        ))}
      </p>
    </>
  )
}
