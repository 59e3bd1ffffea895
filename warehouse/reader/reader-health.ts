import { basename } from 'node:path'
import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import { isObjectStore } from '../store/s3/s3-location.ts'
import { FOLLOWED_TABLES, type FollowedTableName } from './followed-tables.ts'
import type { ReaderStatus } from './reader.ts'

/** Part that can or cannot be followed. */
type Part = FollowedTableName | 'warehouse'

/** Combines the health of each table into one status. */
export class ReaderHealth {
  readonly #failures = new Map<Part, string>()
  readonly #tried = new Set<FollowedTableName>()
  #stale_since: Instant | null = null
  #closed = false
  readonly #root: string
  readonly #onChange: () => void

  /** @param root anybody may read the status, so that it names no path of the machine; an object store has none */
  constructor(root: string, onChange: () => void) {
    this.#root = root
    this.#onChange = onChange
  }

  /** Records that a part fails; null: it can be followed. */
  update(part: Part, failure: unknown, now: Micros): void {
    const before = this.#text()
    if (failure === null) this.#failures.delete(part)
    else this.#failures.set(part, this.#publicText(failure))
    if (part !== 'warehouse') this.#tried.add(part)
    if (this.#failures.size === 0 || !this.hasTried()) this.#stale_since = null
    else this.#stale_since ??= formatMicros(now)
    if (this.#text() !== before) this.#onChange()
  }

  close(): void {
    this.#closed = true
    this.#onChange()
  }

  /** True once every table was loaded or failed to load. */
  hasTried(): boolean {
    return this.#tried.size === FOLLOWED_TABLES.length
  }

  current(): Omit<ReaderStatus, 'unread' | 'versions'> {
    return { phase: this.#phase(), stale_since: this.#stale_since, reason: [...this.#failures.values()][0] ?? null }
  }

  #phase(): ReaderStatus['phase'] {
    if (this.#closed) return 'closed'
    if (!this.hasTried()) return 'starting'
    return this.#failures.size === 0 ? 'ready' : 'stale'
  }

  /** Names the warehouse and its files, not where they are. */
  #publicText(failure: unknown): string {
    const text = failure instanceof Error ? failure.message : String(failure)
    return isObjectStore(this.#root) ? text : text.replaceAll(this.#root, basename(this.#root))
  }

  #text(): string {
    const { phase, reason } = this.current()
    return `${phase} ${reason}`
  }
}
