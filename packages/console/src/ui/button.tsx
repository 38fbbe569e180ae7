import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import { keyText } from './key-text.ts'

interface ButtonProps {
  readonly kind?: 'normal' | 'primary' | 'plain'
  readonly isSmall?: boolean
  readonly isDisabled?: boolean
  readonly type?: 'button' | 'submit'
  /** By which a key finds the button. */
  readonly name?: string | undefined
  /** Shown as a tooltip: the key that does the same. */
  readonly hint?: string | undefined
  readonly onClick?: (() => void) | undefined
  readonly children: ComponentChildren
}

export function Button(props: ButtonProps): JSX.Element {
  const {
    kind = 'normal',
    isSmall,
    isDisabled = false,
    type = 'button',
    name,
    hint,
    onClick,
    children,
  } = props
  return (
    <button
      type={type}
      name={name}
      class={`button button-${kind} ${isSmall ? 'button-small' : ''}`}
      disabled={isDisabled}
      title={hint}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

interface IconButtonProps {
  readonly icon: IconName
  /** Read out, and shown as a tooltip. */
  readonly label: string
  readonly isPressed?: boolean
  readonly isDisabled?: boolean
  readonly class?: string
  /** Shown in the tooltip: the key that does the same. */
  readonly shortcut?: string
  readonly onClick: () => void
}

export function IconButton(props: IconButtonProps): JSX.Element {
  const { icon, label, isPressed, isDisabled = false, shortcut, onClick } = props
  return (
    <button
      type="button"
      class={`button button-plain button-icon ${props.class ?? ''}`}
      aria-label={label}
      title={shortcut ? `${label} (${keyText(shortcut)})` : label}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}
