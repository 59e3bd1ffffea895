import { refusedArgument } from '../given.ts'

const allowed = 'an http or https address without user such as http://127.0.0.1:8080'

/**
 * Parses the address of a service and removes a slash at its end.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID
 */
export function baseUrl(text: string): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null
  const is_plain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === ''
  if (is_plain && ['http:', 'https:'].includes(url.protocol)) return withoutVersion(url.href.replace(/\/+$/, ''), text)
  throw refusedArgument('base_url', typeof text === 'string' ? withoutPassword(text) : text, allowed)
}

/** A password is not shown. Errors name the address, and no request can be sent to one with a password. */
function withoutPassword(text: string): string {
  return text.replace(/^(.*\/\/)?.*@/s, '$1***@')
}

/** Every path is below /v1, so an address that ends with it would name it twice. */
function withoutVersion(url: string, text: string): string {
  if (url.endsWith('/v1')) throw refusedArgument('base_url', text, `${allowed}, without /v1`)
  return url
}
