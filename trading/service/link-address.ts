import { ServiceError } from '../../primitives/errors.ts'

/** An end of the engine's link. */
export type LinkPlace = { readonly host: string; readonly port: number }

/** Addresses that only processes of this machine reach. */
const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/i
/** Addresses that stand for every address of a machine, so nobody can connect to them. */
const EVERY = /^(0\.0\.0\.0|::)$/
const TLS_SETTINGS = 'TIDEMARK_ENGINE_TLS_CERT_FILE, TIDEMARK_ENGINE_TLS_KEY_FILE and TIDEMARK_ENGINE_TLS_CA_FILE'

/**
 * Reads an address of the engine's link. Without TLS orders and the token pass in the clear, so they never leave this machine.
 * @param field setting that it is the value of
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function readPlace(field: string, address: string, is_secured: boolean): LinkPlace {
  const match = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(address)
  const port = Number.parseInt(match?.[2] ?? '', 10)
  if (match === null || port > 65_535) refuse(field, address, `is ${address}; allowed: HOST:PORT`)
  const host = match[1]!
  if (!is_secured && !LOOPBACK.test(host)) {
    const allowed = `allowed without TLS: 127.0.0.1, ::1 or localhost; with TLS any, see ${TLS_SETTINGS}`
    refuse(field, address, `is ${address}, which others on the network can reach; ${allowed}`)
  }
  return { host, port }
}

/**
 * Returns the address that the leader announces: the advertised one, else where it listens.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: it listens at every address and advertises none
 */
export function readAdvertised(advertised: string | null, bound: LinkPlace, is_secured: boolean): LinkPlace {
  const field = 'TIDEMARK_ENGINE_ADVERTISED_ADDRESS'
  if (advertised === null) {
    if (!EVERY.test(bound.host)) return bound
    refuse(field, '', `is none; needed where the engine listens at ${placeText(bound)}: HOST:PORT that others reach`)
  }
  const place = readPlace(field, advertised, is_secured)
  if (EVERY.test(place.host)) refuse(field, advertised, `is ${advertised}; allowed: HOST:PORT that others reach`)
  return place
}

/** Returns host:port as a lease has it. */
export function placeText({ host, port }: LinkPlace): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function refuse(field: string, value: string, problem: string): never {
  throw new ServiceError('VALIDATION_USAGE_INVALID', `${field} ${problem}`, { field, value })
}
