import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import { FOLLOWED_TABLES, type FollowedTableName } from './followed-tables.ts'
import type { ReaderStatus } from './reader.ts'

/** What keeps the whole warehouse, or one table, from being followed. */
type Place = FollowedTableName | 'warehouse'

/** Folds what is told of each table into one status. */
export class ReaderHealth {
  readonly #failures = new Map<Place, string>()
  readonly #loaded = new Set<FollowedTableName>()
  readonly #tried = new Set<FollowedTableName>()
  #stale_since: Instant | null = null
  #closed = false
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** null: it can be followed. */
  tell(place: Place, failure: unknown, now: Micros): void {
    const before = this.#text()
    if (failure === null) this.#failures.delete(place)
    else this.#failures.set(place, failure instanceof Error ? failure.message : String(failure))
    if (place !== 'warehouse') {
      this.#tried.add(place)
      if (failure === null) this.#loaded.add(place)
    }
    if (this.#failures.size === 0 || !this.hasTried()) this.#stale_since = null
    else this.#stale_since ??= formatMicros(now)
    if (this.#text() !== before) this.#onChange()
  }

  close(): void {
    this.#closed = true
    this.#onChange()
  }

  /** true once every table was loaded or could not be. */
  hasTried(): boolean {
    return this.#tried.size === FOLLOWED_TABLES.length
  }

  current(): Omit<ReaderStatus, 'versions'> {
    return { phase: this.#phase(), stale_since: this.#stale_since, reason: [...this.#failures.values()][0] ?? null }
  }

  #phase(): ReaderStatus['phase'] {
    if (this.#closed) return 'closed'
    if (!this.hasTried()) return 'starting'
    return this.#failures.size === 0 ? 'ready' : 'stale'
  }

  #text(): string {
    const { phase, reason } = this.current()
    return `${phase} ${reason}`
  }
}
