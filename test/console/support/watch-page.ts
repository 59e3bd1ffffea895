import type { Page } from 'playwright-core'

/** Keeps what goes wrong on a page, breaches of its security policy among it, and what it asks of the API. */
export function watchPage(page: Page) {
  const problems: string[] = []
  const requests: string[] = []
  const addresses: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => {
    const url = request.url()
    addresses.push(url)
    if (new URL(url).pathname.startsWith('/v1/')) requests.push(url)
  })
  const foreign = () => addresses.filter((url) => !url.startsWith('http://127.0.0.1:'))
  const internal = () => {
    return addresses.filter((url) => url.includes('/internal/')).map((url) => url.replace(/^http:\/\/[^/]+/, ''))
  }
  return { problems, requests, foreign, internal }
}
