import { type Browser, chromium } from 'playwright-core'
import { useShared } from '../../support/use-shared.ts'

/** One browser for all tests of a file. */
export function useBrowser(): Browser {
  const executablePath = process.env['CRM_TEST_CHROMIUM'] ?? ''
  return useShared(
    () => chromium.launch({ executablePath, args: ['--no-sandbox'] }),
    async (browser) => {
      await closePages(browser)
      await browser.close()
    },
  )
}

/**
 * Closes every page of the browser. A handler of a request may still be at work in one of them: it would fail in the test
 * that runs then, with an error that nobody awaits.
 */
export async function closePages(browser: Browser): Promise<void> {
  const contexts = browser.contexts()
  const pages = contexts.flatMap((context) => context.pages())
  await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
  await Promise.all(contexts.map((context) => context.close()))
}
