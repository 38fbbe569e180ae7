/** "customers", "inboxes". */
export function plural(noun: string): string {
  return noun.endsWith('x') ? `${noun}es` : `${noun}s`
}

/** "1 customer", "1,240 customers". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural(noun)}`
}
