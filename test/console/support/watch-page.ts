import type { ConsoleMessage, Page, Request } from 'playwright-core'

/** Keeps what goes wrong on a page, breaches of its security policy among it, and what it asks of the API. */
export function watchPage(page: Page) {
  const problems: string[] = []
  const requests: string[] = []
  const all: Request[] = []
  const console = (message: ConsoleMessage) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  }
  const pageerror = (error: Error) => void problems.push(error.message)
  const request = (asked: Request) => {
    const url = asked.url()
    all.push(asked)
    if (new URL(url).pathname.startsWith('/v1/')) requests.push(url)
  }
  page.on('console', console).on('pageerror', pageerror).on('request', request)
  const end = () => void page.off('console', console).off('pageerror', pageerror).off('request', request)
  const addresses = () => all.map((asked) => asked.url())
  const foreign = () => addresses().filter((url) => !url.startsWith('http://127.0.0.1:'))
  const internal = () => {
    const found = addresses().filter((url) => url.includes('/internal/'))
    return found.map((url) => url.replace(/^http:\/\/[^/]+/, ''))
  }
  /** Returns all that left the page. */
  const sent = () => all.map((one) => `${one.url()} ${JSON.stringify(one.headers())} ${one.postData() ?? ''}`)
  return { problems, requests, foreign, internal, sent, end }
}
