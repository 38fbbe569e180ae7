import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

export function readPage(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** The code of every fence of a language, in the order of the page. */
export function codeBlocks(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')
  return [...text.matchAll(fence)].map(([, code = '']) => code)
}
