import { parseRecord } from '../quarantine.ts'
import type { ReferenceRecord } from '../record.ts'
import type { Location, Reading } from './memory.ts'

/** Records the description of a market, and what waited for it. */
export function stateReference(reading: Reading, reference: ReferenceRecord): void {
  const { memory, found } = reading
  const id = reference.source_market_id
  memory.references.set(id, reference)
  found.references.push(reference)
  const waiting = memory.waiting.get(id)
  if (waiting === undefined) return
  memory.waiting.delete(id)
  for (const { payload, location, state } of waiting) {
    const { file } = payload
    const stated = parseRecord(() => state({ payload, memory, found }))
    const is_refused = 'reason' in stated
    if (is_refused) found.quarantine.push({ file, line: location.line, path: location.path, reason: stated.reason })
    const to = is_refused ? 'quarantined' : 'taken'
    found.changed.push({ file, line: location.line, from: 'WAITS_FOR_MARKET', to })
  }
}

/**
 * Records a statement about a market, or keeps it until a later payload of the import describes the market, so that no statement
 * is stored without its market.
 * @returns whether it was recorded
 */
export function stateOrWait(
  reading: Reading,
  location: Location,
  market_id: string,
  state: (reading: Reading) => void,
): boolean {
  const { memory, payload } = reading
  if (memory.references.has(market_id)) {
    state(reading)
    return true
  }
  memory.waiting.set(market_id, [...(memory.waiting.get(market_id) ?? []), { payload, location, state }])
  return false
}
