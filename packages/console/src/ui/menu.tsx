import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { aboveStyle } from './above.ts'
import { Icon } from './icon.tsx'
import { keyText } from './key-text.ts'

interface MenuItem {
  /** By which a key finds the item, also while the menu is closed. */
  readonly name: string
  readonly text: string
  /** The key that does the same. */
  readonly key: string
  readonly onChoose: () => void
}

interface MenuProps {
  /** Read out, and shown as a tooltip. */
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly isDisabled: boolean
}

/** A button with more actions above it. The arrows choose, Enter takes; Escape, Tab and a press beside it close it. */
export function Menu({ label, items, isDisabled }: MenuProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLSpanElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const list = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  useEffect(() => {
    if (!isOpen) return
    list()[0]?.focus()
    const onPress = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [isOpen])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      return setOpen(true)
    }
    const all = list()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (next !== undefined) all.at(next % all.length)?.focus()
    else if (event.key === 'Escape') {
      setOpen(false)
      button.current?.focus()
    } else {
      if (event.key === 'Tab') setOpen(false)
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span ref={root} style={{ position: 'relative' }}>
      <button
        ref={button}
        type="button"
        class="button button-primary button-icon"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        disabled={isDisabled}
        onKeyDown={onKeyDown}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="down" />
      </button>
      <div
        id={id}
        role="menu"
        tabIndex={-1}
        onKeyDown={onKeyDown}
        aria-label={label}
        hidden={!isOpen}
        style={{ ...aboveStyle, insetInlineEnd: 0, minWidth: '220px' }}
      >
        {items.map(({ name, text, key, onChoose }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            tabIndex={-1}
            name={name}
            class="chooser-option"
            disabled={isDisabled}
            onClick={() => {
              // Before the action, which may put it elsewhere.
              if (isOpen) button.current?.focus()
              setOpen(false)
              onChoose()
            }}
          >
            <span>{text}</span>
            <kbd>{keyText(key)}</kbd>
          </button>
        ))}
      </div>
    </span>
  )
}
