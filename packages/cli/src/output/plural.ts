/** "customers", "inboxes", "entries". */
export function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return noun.endsWith('x') ? `${noun}es` : `${noun}s`
}

/** "1 customer", "1,240 customers". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural(noun)}`
}
