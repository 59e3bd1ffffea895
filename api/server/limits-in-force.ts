import { accountBucket, CONNECTIONS } from '../../protocol/limits.ts'
import type { RateLimits } from './handler.ts'

/** Settings of a server that replace limits of protocol/limits.ts. */
type LimitSettings = {
  readonly connections_max?: number
  readonly connections?: Readonly<Record<string, number>>
}

/**
 * Returns the limits that this process enforces by its settings, by their names in protocol/limit-table.ts. All others have their
 * defaults.
 */
export function limitsInForce(
  { connections_max = CONNECTIONS.max, connections = {} }: LimitSettings,
  rate_limits: RateLimits,
): Readonly<Record<string, number>> {
  const of_connections = Object.entries({ ...connections, max: connections_max })
  const buckets = Object.entries(rate_limits).flatMap(([name, { keyed, anonymous }]) => [
    [name, keyed] as const,
    [`${name}.account`, accountBucket(keyed)] as const,
    ...(anonymous === null ? [] : [[`${name}.anonymous`, anonymous] as const]),
  ])
  return Object.fromEntries([
    ...of_connections.map(([name, value]) => [`connections.${name}`, value]),
    ...buckets.flatMap(([name, { rate, burst }]) => [
      [`${name}.rate`, rate],
      [`${name}.burst`, burst],
    ]),
  ])
}
