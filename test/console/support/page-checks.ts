import type { Page } from 'playwright-core'

/** Scripts that a page runs over itself. What can be used and has no name: */
export const UNNAMED = `[...document.querySelectorAll('a, button, input, select, textarea, [role=slider], [role=region], svg[role=img]')].filter((one) => one.checkVisibility()).filter((one) => {
  const label = one.getAttribute('aria-label') ?? one.getAttribute('aria-labelledby') ?? one.innerText ?? ''
  return label.trim() === '' && !(one.labels?.length > 0)
}).map((one) => one.outerHTML)`

/** Texts whose contrast to what is behind them is under 4.5 : 1 (WCAG 2.2, 1.4.3). */
export const LOW_CONTRAST = `(() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number)
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0)
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor)
      if (color.length === 3 || color[3] === 1) return color
    }
    return [255, 255, 255]
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const low = []
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement
    if (walker.currentNode.data.trim() === '' || !one.checkVisibility() || one.closest('.sr, .skip, noscript')) continue
    const [a, b] = [light(parse(getComputedStyle(one).color)), light(behind(one))]
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    if (ratio < 4.5) low.push(walker.currentNode.data.trim() + ' ' + ratio.toFixed(2))
  }
  return low
})()`

/** Looks in which a view is checked, one after the other on one visit. */
const LOOKS = [
  ['dark', 1280],
  ['light', 360],
] as const

/** Resolves after what follows the size of the page was drawn anew. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/**
 * Returns what is wrong with the order of a page, and in any of the looks: pixels that are cut off, texts without contrast, things
 * without a name. The page has its own size again afterwards, so that a test may go on.
 */
export async function wrongInLooks(page: Page): Promise<unknown[]> {
  await page.waitForLoadState('networkidle')
  const own_size = page.viewportSize()!
  const wrong = await wrongInOrder(page)
  for (const [colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(DRAWN)
    const is_dark = await page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches')
    if (is_dark !== (colorScheme === 'dark')) wrong.push(`${colorScheme} is not shown`)
    const cut_off = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number
    if (cut_off > 0) wrong.push(`${cut_off} pixels are cut off in ${colorScheme} at ${width}`)
    for (const check of [LOW_CONTRAST, UNNAMED])
      for (const one of (await page.evaluate(check)) as string[]) wrong.push(`${colorScheme} at ${width}: ${one}`)
  }
  await page.setViewportSize(own_size)
  return wrong
}

/** Returns what is wrong with headings and language, and ids that are there twice. */
async function wrongInOrder(page: Page): Promise<unknown[]> {
  const wrong: unknown[] = []
  const headings = await page.locator('h1').count()
  if (headings !== 1) wrong.push(`${headings} elements are h1`)
  const language = await page.evaluate('document.documentElement.lang')
  if (language !== 'en') wrong.push(`the language is ${language}`)
  const ids = (await page.evaluate('[...document.querySelectorAll("[id]")].map((one) => one.id)')) as string[]
  return [...wrong, ...ids.filter((id, at) => ids.indexOf(id) !== at)]
}
