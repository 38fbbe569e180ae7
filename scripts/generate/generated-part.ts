/** Replaces the part of a page between `<!-- generated: NAME -->` and `<!-- /generated -->`. */
export function withGeneratedPart(page: string, name: string, part: string): string {
  const [start, end] = [`<!-- generated: ${name} -->`, '<!-- /generated -->']
  const from = page.indexOf(start)
  const to = page.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`The page has no "${start}" with its "${end}"`)
  return `${page.slice(0, from)}${start}\n${part}\n${page.slice(to)}`
}
