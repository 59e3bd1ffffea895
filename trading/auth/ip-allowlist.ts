import { BlockList, isIP, isIPv4 } from 'node:net'

const PREFIX = /^(0|[1-9]\d{0,2})$/

/** Returns whether a text is an address, or a CIDR range such as 203.0.113.0/24 or 2001:db8::/32. */
export function isAddressRange(text: string): boolean {
  const [address, prefix, ...more] = text.split('/')
  const version = isIP(address!)
  if (version === 0 || more.length > 0 || address!.includes('%')) return false
  return prefix === undefined || (PREFIX.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}

const TYPES: Readonly<Record<number, 'ipv4' | 'ipv6'>> = { 4: 'ipv4', 6: 'ipv6' }

/** One list per IP version: a v6 range of Node's lists contains v4 addresses, written as v6. */
type Checkers = { readonly ipv4: BlockList; readonly ipv6: BlockList }
const known_checkers = new WeakMap<readonly string[], Checkers>()

/**
 * Returns whether an address lies in one of the ranges; an empty list allows every address. A v4 address written as v6
 * (::ffff:203.0.113.9), as dual-stack sockets report it, counts as the v4 address.
 */
export function isAddressAllowed(allowlist: readonly string[], ip: string): boolean {
  if (allowlist.length === 0) return true
  const address = ip.toLowerCase().startsWith('::ffff:') && isIPv4(ip.slice(7)) ? ip.slice(7) : ip
  const type = TYPES[isIP(address)]
  return type !== undefined && checkersOf(allowlist)[type].check(address, type)
}

/** Parses the ranges of a list once. */
function checkersOf(allowlist: readonly string[]): Checkers {
  const known = known_checkers.get(allowlist)
  if (known !== undefined) return known
  const checkers: Checkers = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of allowlist) {
    const [address, prefix] = range.split('/') as [string, string | undefined]
    const type = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (prefix === undefined) checkers[type].addAddress(address, type)
    else checkers[type].addSubnet(address, Number(prefix), type)
  }
  known_checkers.set(allowlist, checkers)
  return checkers
}
