import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import type { RowForm } from './row-forms.ts'

type Sequenced = { readonly seq: number }

/** Rows of one table that one engine batch changed. */
export type OwnCommit<Row extends Sequenced = Sequenced> = {
  readonly table: string
  readonly published_at: Instant
  readonly rows: readonly Row[]
}

/** Limits of the retained commits of one table, counted in changes. */
export type KeptLimits = {
  /** Most changes retained; older ones are evicted. */
  readonly changes_max: number
  /** Most changes held uncompressed, as single batches. */
  readonly open_max: number
  /** Changes compressed at once: some milliseconds of work. */
  readonly pack: number
}

type Entry<Row extends Sequenced> = { readonly at: Micros; readonly commit: OwnCommit<Row>; readonly changes: number }
type Kept<Row extends Sequenced, Content> = {
  /** Seq of the first commit. */
  readonly begin_seq: number
  readonly last_at: Micros
  readonly changes: number
  readonly content: Content
  /** Cached because many clients that resume together need the same commits. */
  unpacked: WeakRef<readonly OwnCommit<Row>[]> | null
}

/**
 * Retained commits of one table for clients that resume, oldest first. The newest are JSON texts; older ones are compressed, so that
 * ten minutes of a busy engine need little memory. None is kept as objects: thousands of them living for seconds would dominate the
 * garbage collector's work.
 */
export class KeptCommits<Row extends Sequenced> {
  readonly #table: string
  readonly #form: RowForm<Row>
  readonly #limits: KeptLimits
  readonly #packed: Kept<Row, Buffer>[] = []
  readonly #open: Kept<Row, string>[] = []
  #changes = 0
  #open_changes = 0

  constructor(table: string, form: RowForm<Row>, limits: KeptLimits) {
    this.#table = table
    this.#form = form
    this.#limits = limits
  }

  /** @param oldest commits before this instant may be evicted */
  add({ at, commit, changes }: Entry<Row>, oldest: Micros): void {
    const content = JSON.stringify([at, commit.rows.map(this.#form.pack)])
    this.#open.push({ begin_seq: placeOf(commit), last_at: at, changes, content, unpacked: null })
    this.#changes += changes
    this.#open_changes += changes
    if (this.#open_changes < this.#limits.open_max + this.#limits.pack) return
    this.#packOldest()
    this.#evict(oldest)
  }

  /** Returns the retained commits since `oldest`. Those before `after_seq` may be incomplete, but include the last one before it. */
  list(oldest: Micros, after_seq = 0): readonly OwnCommit<Row>[] {
    const kept = [...this.#packed, ...this.#open].filter(({ last_at }) => last_at >= oldest)
    const begin = kept.findLastIndex(({ begin_seq }) => begin_seq <= after_seq)
    return kept.slice(Math.max(0, begin)).flatMap((one) => this.#unpack(one))
  }

  #packOldest(): void {
    const entries = this.#open.splice(0, this.#countOf(this.#limits.pack))
    const changes = entries.reduce((sum, entry) => sum + entry.changes, 0)
    this.#open_changes -= changes
    const content = deflateRawSync(entries.map(({ content }) => content).join(), { level: 1 })
    const [{ begin_seq }, { last_at }] = [entries[0]!, entries.at(-1)!]
    this.#packed.push({ begin_seq, last_at, changes, content, unpacked: null })
  }

  /** Returns the number of oldest open entries that together have at least `changes` changes. */
  #countOf(changes: number): number {
    let sum = 0
    return (
      this.#open.findIndex((entry) => {
        sum += entry.changes
        return sum >= changes
      }) + 1
    )
  }

  #evict(oldest: Micros): void {
    const goes = ({ last_at }: Kept<Row, Buffer>) => last_at < oldest || this.#changes > this.#limits.changes_max
    while (this.#packed[0] !== undefined && goes(this.#packed[0])) this.#changes -= this.#packed.shift()!.changes
  }

  #unpack(kept: Kept<Row, Buffer | string>): readonly OwnCommit<Row>[] {
    const known = kept.unpacked?.deref()
    if (known !== undefined) return known
    const { content } = kept
    const text = typeof content === 'string' ? content : inflateRawSync(content).toString()
    const entries: [Micros, unknown[]][] = JSON.parse(`[${text}]`)
    const commits = entries.map(([at, rows]) => {
      const published_at = formatMicros(at)
      return { table: this.#table, published_at, rows: rows.map(this.#form.unpack) }
    })
    kept.unpacked = new WeakRef(commits)
    return commits
  }
}

/** Returns the seq of a commit's last row. */
function placeOf({ rows }: OwnCommit): number {
  return rows.at(-1)!.seq
}
