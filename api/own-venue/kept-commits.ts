import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import type { RowForm } from './row-forms.ts'

type Sequenced = { readonly seq: number }

/** What one batch of the engine has changed of one table. */
export type OwnCommit<Row extends Sequenced = Sequenced> = {
  readonly table: string
  readonly published_at: Instant
  readonly rows: readonly Row[]
}

/** How much of one table is kept, by the changes of it. */
export type KeptLimits = {
  /** Of all that is kept; older ones are let go. */
  readonly changes_max: number
  /** Of the newest, each batch by itself. */
  readonly open_max: number
  /** Packed at once, some milliseconds of work. */
  readonly pack: number
}

type Entry<Row extends Sequenced> = { readonly at: Micros; readonly commit: OwnCommit<Row>; readonly changes: number }
type Kept<Row extends Sequenced, Content> = {
  /** Place of the first commit. */
  readonly begin_seq: number
  readonly last_at: Micros
  readonly changes: number
  readonly content: Content
  /** Many who come back at once ask for the same. */
  unpacked: WeakRef<readonly OwnCommit<Row>[]> | null
}

/**
 * Commits of one table for those who come back, oldest first. The newest are texts; those before are packed into bytes, so that ten
 * minutes of a busy engine are little and a process at work does not grow. None is kept as it came: objects of thousands of changes that
 * live for seconds would be most of what the collector of garbage has to move.
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

  /** @param oldest what is older may be let go */
  add({ at, commit, changes }: Entry<Row>, oldest: Micros): void {
    const content = JSON.stringify([at, commit.rows.map(this.#form.pack)])
    this.#open.push({ begin_seq: placeOf(commit), last_at: at, changes, content, unpacked: null })
    this.#changes += changes
    this.#open_changes += changes
    if (this.#open_changes < this.#limits.open_max + this.#limits.pack) return
    this.#packOldest()
    this.#letGo(oldest)
  }

  /** What is kept from `oldest` on; of what is before a place only some, the last commit among it. */
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

  /** How many of the oldest open entries have so many changes together. */
  #countOf(changes: number): number {
    let sum = 0
    return (
      this.#open.findIndex((entry) => {
        sum += entry.changes
        return sum >= changes
      }) + 1
    )
  }

  #letGo(oldest: Micros): void {
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

/** Of a commit: that of its last row. */
function placeOf({ rows }: OwnCommit): number {
  return rows.at(-1)!.seq
}
