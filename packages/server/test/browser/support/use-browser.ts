import { type Browser, chromium } from 'playwright-core'
import { useShared } from '../../support/use-shared.ts'

/** One browser for all tests of a file. */
export function useBrowser(): Browser {
  const executablePath = process.env['CRM_TEST_CHROMIUM'] ?? ''
  return useShared(
    () => chromium.launch({ executablePath, args: ['--no-sandbox'] }),
    (browser) => browser.close(),
  )
}
