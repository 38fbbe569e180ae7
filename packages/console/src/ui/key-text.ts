export const isApple = /Mac|iP(hone|ad|od)/.test(navigator.userAgent)

/** A key as this machine's keyboard names it: `⌘K` is `Ctrl K` away from Apple's. */
export function keyText(key: string): string {
  return isApple ? key : key.replace('⌘', 'Ctrl ').replace('⇧', 'Shift ').replace('⏎', 'Enter')
}
