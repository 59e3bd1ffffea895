import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { watchPage } from './watch-page.ts'

/** An open page with what went wrong on it and what it asked for; `shows` waits for a text. */
export type VisitedPage = {
  readonly page: Page
  readonly seen: ReturnType<typeof watchPage>
  readonly shows: (selector: string, wanted: string | RegExp) => Promise<void>
}

/** Opens an address in a context of its own: nothing is kept of the one before. */
export async function visitPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<VisitedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000) // a bound for what never comes
  const seen = watchPage(page)
  await page.goto(url)
  return { page, seen, shows: (selector, wanted) => page.locator(selector, { hasText: wanted }).first().waitFor() }
}
