import type { JSX, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Draft } from '../../store/draft.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { keyName } from '../../ui/key-name.ts'
import { keyText } from '../../ui/key-text.ts'
import { type Format, format, formats } from './format.ts'

export interface ComposerToolsProps {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly contentType: Draft['contentType']
  readonly isPreviewed: boolean
  readonly onContentType: (contentType: Draft['contentType']) => void
  readonly onPreview: (isPreviewed: boolean) => void
}

/** With the control key, or Apple's. */
const formatKeys: Readonly<Record<Format, string>> = {
  strong: '⌘B',
  em: '⌘I',
  a: '⌘⇧K',
  ul: '⌘⇧8',
  code: '⌘E',
}

/** The first letters of the words, as in other editors. */
function signOf(kind: Format): JSX.Element {
  const { signs } = more.format
  if (kind === 'strong') return <b>{signs.strong}</b>
  if (kind === 'em') return <i>{signs.em}</i>
  if (kind === 'a') return <u>{signs.a}</u>
  return kind === 'ul' ? <span>•–</span> : <code>{'</>'}</code>
}

/** For the list of all keys. */
export function formatKeyHelp() {
  return formats.map((kind) => ({ id: `format-${kind}`, text: more.format[kind], key: formatKeys[kind] }))
}

/** The buttons that format the text of the field, and their keys. */
export function ComposerTools(props: ComposerToolsProps): JSX.Element | null {
  const { contentType, isPreviewed, onContentType, onPreview } = props
  const apply = useFormats(props)
  const [at, setAt] = useState(0)
  if (contentType === 'html') return null
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const inWriting = getComputedStyle(event.currentTarget).direction === 'rtl' ? -step : step
    const next = (at + inWriting + formats.length) % formats.length
    setAt(next)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div class="composer-files composer-tools">
      <div class="composer-files" role="toolbar" aria-label={more.format.label} onKeyDown={onKeyDown}>
        {formats.map((kind, index) => (
          <button
            key={kind}
            type="button"
            class="button button-plain button-icon button-small"
            aria-label={more.format[kind]}
            title={`${more.format[kind]} (${keyText(formatKeys[kind])})`}
            tabIndex={index === at ? 0 : -1}
            // The field keeps the focus and the selection.
            onMouseDown={(event) => event.preventDefault()}
            onFocus={() => setAt(index)}
            onClick={() => apply(kind)}
          >
            {signOf(kind)}
          </button>
        ))}
      </div>
      {contentType === 'markdown' && (
        <>
          <label>
            <input
              type="checkbox"
              checked={isPreviewed}
              onChange={({ currentTarget }) => onPreview(currentTarget.checked)}
            />{' '}
            {t.composer.preview}
          </label>
          <Button kind="plain" isSmall onClick={() => onContentType('text')}>
            {more.format.plain}
          </Button>
        </>
      )}
    </div>
  )
}

function useFormats({ field, contentType, onContentType }: ComposerToolsProps): (kind: Format) => void {
  const apply = (kind: Format) => {
    const area = field.current
    if (area === null) return
    const { from, to, by, select } = format(
      area.value,
      { from: area.selectionStart, to: area.selectionEnd },
      kind,
    )
    if (contentType !== 'markdown') onContentType('markdown')
    area.focus()
    area.setSelectionRange(from, to)
    insert(area, by)
    area.setSelectionRange(select.from, select.to)
  }
  const latest = useRef(apply)
  latest.current = apply
  const isPlain = contentType === 'html'
  useEffect(() => {
    const area = field.current
    if (area === null || isPlain) return
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing) return
      const name = keyName(event)
      // A digit with Shift is another sign on each keyboard.
      const isList = event.code === 'Digit8' && event.shiftKey && name?.startsWith('⌘')
      const kind = isList ? 'ul' : formats.find((one) => formatKeys[one] === name)
      if (kind === undefined) return
      event.preventDefault()
      latest.current(kind)
    }
    area.addEventListener('keydown', onKey)
    return () => area.removeEventListener('keydown', onKey)
  }, [isPlain])
  return apply
}

/** As if a person had typed it, so that the undo of the browser takes it back. */
function insert(area: HTMLTextAreaElement, text: string): void {
  if (document.execCommand('insertText', false, text)) return
  area.setRangeText(text)
  area.dispatchEvent(new Event('input', { bubbles: true }))
}
