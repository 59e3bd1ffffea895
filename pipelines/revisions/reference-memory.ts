import { sha256Hex } from '../../primitives/ids.ts'
import type { ReferenceRecord } from '../venues/record.ts'

/** Latest statement about each market. A venue that is asked every few seconds repeats it thousands of times. */
export class ReferenceMemory {
  readonly #last = new Map<string, string>()

  /** Returns whether a statement differs from the market's previous one, whenever that was made, and remembers it. */
  isNews(record: ReferenceRecord): boolean {
    const { file: _file, line: _line, path: _path, source_at: _source, received_at: _received, ...statement } = record
    const market = `${record.venue_id}\u001f${record.source_series_id ?? ''}\u001f${record.source_market_id}`
    const content = sha256Hex(JSON.stringify(statement))
    if (this.#last.get(market) === content) return false
    this.#last.set(market, content)
    return true
  }
}
