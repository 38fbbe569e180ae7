import { isApple } from './key-text.ts'

/**
 * The key as the commands name it: `j`, `?`, `F6`, `⌘K`, `⌘⇧⏎`. A key with a letter of another alphabet counts by its place on
 * the keyboard, where a Latin one has J. A sign that is printed together with Shift, such as `?`, is named without it.
 * Undefined: no command has such a key.
 */
export function keyName(event: KeyboardEvent): string | undefined {
  const { key, code, altKey, ctrlKey, metaKey, shiftKey } = event
  if (!key || altKey || (isApple ? ctrlKey : metaKey)) return undefined
  const isMain = isApple ? metaKey : ctrlKey
  const name = latin(key, code)
  const isPrinted = name.length === 1 && !/[a-z⏎]/.test(name)
  return `${isMain ? '⌘' : ''}${shiftKey && !isPrinted ? '⇧' : ''}${isMain ? name.toUpperCase() : name}`
}

/** Only letters outside of ASCII give way to the place: on a Dvorak keyboard the place of W has a comma. */
function latin(key: string, code: string): string {
  if (key === 'Enter') return '⏎'
  const letter = /^Key(.)$/.exec(code)?.[1]
  if (key.length === 1) return (key > '~' && letter ? letter : key).toLowerCase()
  return key
}
