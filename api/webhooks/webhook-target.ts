import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { AttemptFailure } from '../../vocabulary/webhook.ts'
import { isPublicAddress } from './public-address.ts'

/** Rules of the addresses that may receive. */
export type TargetRules = {
  /** Hosts, as `host` or `host:port`, that may be private and without TLS. */
  readonly allowed_hosts: readonly string[]
  /** Returns the addresses of a name; none: there are none. */
  readonly resolve: (host: string) => Promise<readonly string[]>
}

/** A receiver with the one address to connect to. */
export type OpenedTarget = { readonly url: URL; readonly address: string }
/** A receiver that is not connected to, and why. */
export type RefusedTarget = { readonly failure: AttemptFailure; readonly message: string }

/** Ports of receivers that are not among the allowed hosts; '' is the usual one. */
const PORTS = ['', '8443']
const LOOKUP = { timeout: 2_000, tries: 2 } as const

/** Creates the usual rules: names are resolved by DNS, without a cache of ours. */
export function targetRules(allowed_hosts: readonly string[]): TargetRules {
  const isAllowed = (host: string) => allowed_hosts.some((allowed) => allowed.replace(/:\d+$/, '') === host)
  return { allowed_hosts, resolve: (host) => (isAllowed(host) ? byTheSystem(host) : byDns(host)) }
}

/**
 * Resolves a receiver once and checks every address of it. Whoever connects must use the returned address: a second lookup could give
 * another one.
 */
export async function openTarget(text: string, rules: TargetRules): Promise<OpenedTarget | RefusedTarget> {
  const fault = urlFault(text, rules)
  if (fault !== null) return { failure: 'target_refused', message: fault }
  const url = new URL(text)
  const host = hostOf(url)
  const addresses = isIP(host) !== 0 ? [host] : await rules.resolve(host).catch(() => [])
  const [address] = addresses
  if (address === undefined) return { failure: 'name_unresolved', message: `host ${host} does not resolve` }
  const closed = isAllowedHost(url, rules) ? undefined : addresses.find((one) => !isPublicAddress(one))
  if (closed === undefined) return { url, address }
  const resolved = closed === host ? '' : `, an address of ${host},`
  return { failure: 'target_refused', message: `${closed}${resolved} is not public; allowed: public addresses` }
}

/** Returns what is wrong with a receiver's URL by itself, or null. */
function urlFault(text: string, rules: TargetRules): string | null {
  if (!URL.canParse(text)) return `${JSON.stringify(text)} is not a URL; allowed: https://host/path`
  const url = new URL(text)
  const { protocol, username, password, hash, port } = url
  if (protocol !== 'https:' && protocol !== 'http:') return `its scheme is ${protocol} allowed: https:`
  if (username !== '' || password !== '') return 'it has a user or a password; allowed: neither'
  if (hash !== '') return `its fragment is ${hash}; allowed: none`
  if (isAllowedHost(url, rules)) return null
  if (protocol === 'http:') return 'its scheme is http: without TLS; allowed: https:'
  if (!PORTS.includes(port)) return `its port is ${port}; allowed: 443, 8443`
  const host = hostOf(url)
  if (isIP(host) === 0 && !host.includes('.')) return `its host is ${host}; allowed: a full name or a public address`
  return null
}

/** Returns the host without the brackets of IPv6 and the dot of a full name. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

function isAllowedHost(url: URL, { allowed_hosts }: TargetRules): boolean {
  const host = hostOf(url)
  const port = url.port === '' ? { 'https:': '443', 'http:': '80' }[url.protocol] : url.port
  return allowed_hosts.some((allowed) => allowed === host || allowed === `${host}:${port}`)
}

/** Asks the system, which knows names of this machine, for a host that the operator allows. */
async function byTheSystem(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** Asks DNS itself: lookups of the system share few threads, which slow names would hold up. */
async function byDns(host: string): Promise<readonly string[]> {
  const resolver = new Resolver(LOOKUP)
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}
