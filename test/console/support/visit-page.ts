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
  return visit(await context.newPage(), url)
}

async function visit(page: Page, url: string): Promise<VisitedPage> {
  page.setDefaultTimeout(60_000) // a bound for what never comes
  const seen = watchPage(page)
  await page.goto(url)
  return { page, seen, shows: (selector, wanted) => page.locator(selector, { hasText: wanted }).first().waitFor() }
}

type Looks = Pick<BrowserContextOptions, 'viewport' | 'colorScheme'>

/** Forgets what an address keeps in the browser. */
const FORGET = 'sessionStorage.clear(), localStorage.clear()'

/**
 * Visits addresses one after the other on one page, which keeps nothing from one to the next: a context of its own takes three times
 * as much of the processor as a visit.
 */
export async function oneVisitor(browser: Browser) {
  const context = await browser.newContext()
  const page = await context.newPage()
  let seen: VisitedPage['seen'] | null = null
  /** Leaves the address, and with it every stream and request; closes what a test has opened beside it. */
  const leave = async (): Promise<void> => {
    seen?.end()
    for (const other of context.pages()) if (other !== page) await other.close()
    await page.unrouteAll()
    if (page.url().startsWith('http')) await page.evaluate(FORGET)
    await page.goto('about:blank')
    await page.mouse.move(0, 0)
  }
  return {
    page,
    leave,
    async visit(url: string, { viewport = { width: 1280, height: 900 }, colorScheme = 'light' }: Looks = {}) {
      await leave()
      await page.setViewportSize(viewport!)
      await page.emulateMedia({ colorScheme })
      const visited = await visit(page, url)
      seen = visited.seen
      return visited
    },
  }
}
