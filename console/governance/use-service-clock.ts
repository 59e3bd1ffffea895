import type { Api } from '../data/api-client.ts'
import { useCell, useNow } from '../data/hooks.ts'
import { millisOf } from '../data/instant-text.ts'
import { clock_lead_ms } from '../data/live.ts'

/** Instant by which deadlines count: as_of, or the service's clock, which the stream tells. */
export type ServiceClock = { readonly now_ms: number; readonly whose: string }

/** Returns the clock by which deadlines count, updated every second. */
export function useServiceClock({ as_of }: Api): ServiceClock {
  const now = useNow(1000)
  const lead_ms = useCell(clock_lead_ms)
  if (as_of !== null) return { now_ms: millisOf(as_of), whose: 'as of then' }
  return lead_ms === null
    ? { now_ms: now, whose: "by this device's clock" }
    : { now_ms: now + lead_ms, whose: "by the service's clock" }
}
