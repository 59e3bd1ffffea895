import type { FastifyRequest } from 'fastify'

const LOOPBACK_ADDRESS = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/**
 * True where a request comes from this machine and was meant for it: by the address of its connection, by the host that it names
 * (a name that somebody else has pointed here does not count), and without the mark of a proxy that passes on for others.
 */
export function isOfThisMachine({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): boolean {
  const address = raw.socket.remoteAddress ?? ''
  const is_passed_on = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return LOOPBACK_ADDRESS.test(address) && LOOPBACK_HOST.test(headers.host ?? '') && !is_passed_on
}
