import { ServiceError } from '../../primitives/errors.ts'

/** Base URL of one service of a venue: the only host that its client contacts. */
export type VenueBase = {
  /** `https://host` or `https://host:port` */
  readonly origin: string
  readonly host: string
  /**
   * Returns the path to request, below the base's own.
   * @param request path and query, `/book?token_id=1`
   * @throws {ServiceError} VENUE_ANSWER_REFUSED if it would leave the host or the base
   */
  pathOf(request: string): string
}

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
/** Characters of a request: no blanks, control characters, backslashes or fragments. */
const REQUEST = /^\/(?!\/)[\w\-.~!$&'()*+,;=:@/?%[\]]*$/

/**
 * Checks a base URL of a venue. Only loopback, where a simulator runs, may be used without TLS.
 * @param scheme `http` or `ws`, also with TLS
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function venueBase(base_url: string, scheme: 'http' | 'ws' = 'http'): VenueBase {
  const url = URL.canParse(base_url) ? new URL(base_url) : null
  const is_safe = url?.protocol === `${scheme}s:` || (url?.protocol === `${scheme}:` && LOOPBACK.test(url.hostname))
  if (url === null || !is_safe || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `base_url is ${JSON.stringify(base_url)}; allowed: ${scheme}s://host/path, or ${scheme}:// on loopback, without user, query and fragment`,
      { field: 'base_url', value: base_url },
    )
  }
  const prefix = url.pathname.replace(/\/$/, '')
  return { origin: url.origin, host: url.host, pathOf: (request) => pathBelow(url, prefix, request) }
}

function pathBelow({ origin }: URL, prefix: string, request: string): string {
  const path = `${prefix}${request}`
  const url = REQUEST.test(request) && URL.canParse(path, origin) ? new URL(path, origin) : null
  if (url === null || url.origin !== origin || `${url.pathname}${url.search}` !== path) {
    throw new ServiceError(
      'VENUE_ANSWER_REFUSED',
      `request is ${JSON.stringify(request)}; allowed: a path below ${origin}${prefix} without dots, blanks and fragments`,
      { field: 'request', value: request },
    )
  }
  return path
}
