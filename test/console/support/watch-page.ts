import type { ConsoleMessage, Page, Request } from 'playwright-core'

/** Keeps what goes wrong on a page, breaches of its security policy among it, and what it asks of the API. */
export function watchPage(page: Page) {
  const problems: string[] = []
  const requests: string[] = []
  const addresses: string[] = []
  const console = (message: ConsoleMessage) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  }
  const pageerror = (error: Error) => void problems.push(error.message)
  const request = (asked: Request) => {
    const url = asked.url()
    addresses.push(url)
    if (new URL(url).pathname.startsWith('/v1/')) requests.push(url)
  }
  page.on('console', console).on('pageerror', pageerror).on('request', request)
  const end = () => void page.off('console', console).off('pageerror', pageerror).off('request', request)
  const foreign = () => addresses.filter((url) => !url.startsWith('http://127.0.0.1:'))
  const internal = () => {
    return addresses.filter((url) => url.includes('/internal/')).map((url) => url.replace(/^http:\/\/[^/]+/, ''))
  }
  return { problems, requests, foreign, internal, end }
}
