import { clientError } from '../tidemark-error.ts'

/**
 * Parses the address of a service and removes a slash at its end.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID
 */
export function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === '')
    return url.href.replace(/\/+$/, '')
  const message = `base URL is ${JSON.stringify(text)}; allowed: an http or https address such as http://127.0.0.1:8080`
  throw clientError('VALIDATION_USAGE_INVALID', message, false)
}
