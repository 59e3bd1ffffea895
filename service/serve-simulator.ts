import { once } from 'node:events'
import { addressRefused } from '../primitives/address-refused.ts'
import { ServiceError } from '../primitives/errors.ts'
import { durationMicros, formatMicros, MICROS_PER_DAY, type Micros } from '../primitives/instants.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import { OPERATOR_PATH } from '../simulator/server/answer-operator.ts'
import { type FaultRule, parseFaultRule, ruleText } from '../simulator/server/fault-rules.ts'
import type { VenueId } from '../simulator/world/options.ts'
import type { Output } from './output.ts'
import { type ServedVenues, type ServeVenuesRequest, serveVenues } from './serve-venues.ts'

export type ServeSimulatorRequest = Pick<ServeVenuesRequest, 'options' | 'venues' | 'port' | 'signal'> & {
  /** Rules as an operator writes them. */
  readonly faults: readonly string[]
  /** ISO 8601; null: longer than the connectors wait. */
  readonly stall: string | null
}

const HOST = '127.0.0.1'

/** Returns the default start of a served world: yesterday's midnight, so that there is a whole day to fill in, and a present. */
export function startOfServedWorld(now: Micros): Micros {
  return (Math.floor(now / MICROS_PER_DAY) - 1) * MICROS_PER_DAY
}

/**
 * Serves simulated venues by the clock of this machine until the signal is aborted, with faults that an operator chooses.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID, VALIDATION_DURATION_INVALID
 */
export async function serveSimulator(request: ServeSimulatorRequest, output: Output): Promise<void> {
  const { venues, stall, port, signal } = request
  const rules = request.faults.map(parseFaultRule)
  for (const rule of rules) requireServed(rule, venues)
  const stall_ms = stall === null ? {} : { stall_ms: Math.ceil(durationMicros(stall, 'stall') / 1_000) }
  const now = wallClock
  const served = await serveVenues({ ...request, ...stall_ms, rules, now }).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === 'listen' ? addressRefused({ name: 'port', host: HOST, port }, error) : error
  })
  try {
    await printServed(served, request, output)
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await served.close()
  }
}

function requireServed(rule: FaultRule, venues: readonly VenueId[]): void {
  if (rule.venue_id === null || venues.some((served) => served === rule.venue_id)) return
  const value = ruleText(rule)
  const text = `fault is ${value}; allowed: faults of served venues, ${venues.join(', ')}`
  throw new ServiceError('VALIDATION_USAGE_INVALID', text, { field: 'fault', value })
}

async function printServed({ venues }: ServedVenues, { options }: ServeSimulatorRequest, output: Output) {
  const rows = venues.map(({ venue_id, base_url, stream_url }) => {
    return { venue_id, base_url, stream_url, variable: `TIDEMARK_${venue_id.toUpperCase()}_URL` }
  })
  const from = formatMicros(options.start)
  const to = formatMicros(options.start + options.days * MICROS_PER_DAY)
  if (output.json) return output.record({ event: 'ready', from, to, venues: rows })
  for (const { variable, base_url } of rows) await output.line(`export ${variable}=${base_url}`)
  const faults = rows.map(({ base_url }) => `${base_url}${OPERATOR_PATH}`).join(' ')
  output.note(`ready; the world lasts from ${from} to ${to}; faults: ${faults}`)
}
