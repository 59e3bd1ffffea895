import { refusedArgument } from '../given.ts'

/**
 * Parses the address of a service and removes a slash at its end.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID
 */
export function baseUrl(text: string): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null
  if (url !== null && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === '')
    return url.href.replace(/\/+$/, '')
  throw refusedArgument('base_url', text, 'an http or https address such as http://127.0.0.1:8080')
}
