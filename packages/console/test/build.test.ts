import { expect, test } from 'vitest'
import { buildConsole } from '../src/build/build-console.ts'

const { page, hashed, firstLoad } = await buildConsole({ isDevelopment: false })

/** The files that a script imports before it runs. */
function importsOf(name: string): string[] {
  return [...(hashed[name] ?? '').matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(([, file = '']) => file)
}

test('the first load is one style sheet, the preflight, and two scripts, however many parts are loaded later', () => {
  const later = Object.keys(hashed).filter((name) => !firstLoad.includes(name))
  expect(later.length).toBeGreaterThan(4)
  expect(firstLoad.filter((name) => name.endsWith('.css'))).toHaveLength(1)
  expect(firstLoad.filter((name) => name.endsWith('.js'))).toHaveLength(3)
})

test('the page names every file of the first load, so a browser loads them at the same time', () => {
  for (const name of firstLoad) expect(page).toContain(`ASSETS/${name}`)
  expect(page).not.toMatch(/APP_|PREFLIGHT/)
})

test('a later part takes what it shares with the first load from it', () => {
  const isApp = /^app-.*\.js$/
  const shared = importsOf(firstLoad.find((name) => isApp.test(name)) ?? '')
  expect(shared).toHaveLength(1)
  for (const part of ['thread', 'dialog-contents', 'customer-panel', 'customers-pane']) {
    const name = Object.keys(hashed).find((file) => file.startsWith(`${part}-`)) ?? ''
    expect(importsOf(name)).toContain(shared[0])
  }
})

test('a style sheet is served when the page links it', () => {
  const styles = Object.keys(hashed).filter((name) => name.endsWith('.css'))
  expect(styles).toEqual(firstLoad.filter((name) => name.endsWith('.css')))
})
