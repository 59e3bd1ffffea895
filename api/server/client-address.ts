import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { isAddressAllowed } from '../../trading/auth/ip-allowlist.ts'

/**
 * Returns the address of a client. Behind proxies that are trusted it is the last one that no trusted proxy has: each proxy adds the
 * address it was reached from at the end, and whatever comes before may be invented by the client. If X-Forwarded-For and Forwarded
 * disagree, one of them was passed on and not written by the proxy; then, as for an unreadable entry, it is the proxy's own address.
 * @param remote   address of the connection
 * @param trusted  addresses and CIDR ranges of proxies; empty: no header counts
 */
export function clientAddress(
  remote: string | undefined,
  headers: IncomingHttpHeaders,
  trusted: readonly string[],
): string {
  const own = remote ?? ''
  if (trusted.length === 0 || !isAddressAllowed(trusted, own)) return own
  const { forwarded, 'x-forwarded-for': forwarded_for } = headers
  const found = [
    ...(forwarded_for === undefined ? [] : [addressesOf(`${forwarded_for}`)]),
    ...(forwarded === undefined ? [] : [addressesOf(`${forwarded}`, FOR_PARAMETER)]),
  ].map((passed) => lastUntrusted(own, passed, trusted))
  const [first = own, second = first] = found
  return first === second ? first : own
}

function lastUntrusted(own: string, passed: readonly string[], trusted: readonly string[]): string {
  let address = own
  for (const next of passed.toReversed()) {
    if (isIP(next) === 0) return address
    address = next
    if (!isAddressAllowed(trusted, address)) return address
  }
  return address
}

/** `for=` of an element of Forwarded (RFC 7239). */
const FOR_PARAMETER = /(?:^|;)\s*for\s*=\s*"?([^";]*)/i
/** An address with an optional port: 192.0.2.1:80, [2001:db8::1]:80. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|(\d{1,3}(?:\.\d{1,3}){3}):\d+)$/

/** Returns the addresses of a header, in its order; texts that are no addresses as they are. */
function addressesOf(header: string, parameter: RegExp | null = null): string[] {
  return header.split(',').map((element) => {
    const text = (parameter === null ? element : (parameter.exec(element)?.[1] ?? '')).trim()
    const [, v6, v4] = WITH_PORT.exec(text) ?? []
    return v6 ?? v4 ?? text
  })
}

/** Returns the caller that an address belongs to: an IPv4 address, or the /64 of an IPv6 one, which belongs to one customer. */
export function callerOf(address: string): string {
  if (!address.includes(':')) return address
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length)
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, 4).join(':')
}
