import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type RunningService, startService } from '../../support/start-service.ts'
import { closePages } from './use-browser.ts'
import { launchBrowser, type Pages, startPages } from './widget-browser.ts'

interface WidgetWorld {
  readonly service: RunningService
  /** Of somebody else. */
  readonly pages: Pages
  readonly browser: Browser
}

/** A service, a web server of somebody else and a browser, for all tests of a file. Each test leaves no page open. */
export function useWidget(): WidgetWorld {
  let made: (WidgetWorld & { closeBrowser(): Promise<void> }) | undefined
  beforeAll(async () => {
    const service = await startService()
    const pages = await startPages()
    const { browser, close } = await launchBrowser()
    made = { service, pages, browser, closeBrowser: close }
  })
  afterEach(async () => {
    if (made !== undefined) await closePages(made.browser)
  })
  afterAll(async () => {
    await made?.closeBrowser()
    await made?.service.stop()
    await made?.pages.close()
  })
  const world = (): WidgetWorld => {
    if (made === undefined) throw new Error('The world of the widget is there inside of tests alone')
    return made
  }
  return {
    get service() {
      return world().service
    },
    get pages() {
      return world().pages
    },
    get browser() {
      return world().browser
    },
  }
}
