import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { commitKey, corrupt, parseCommit } from '../log/commit-text.ts'
import { liveFile } from '../log/log-state.ts'
import type { Store } from '../store/store.ts'
import type { TableName } from '../tables.ts'

/** Times of a commit, from its file. */
type CommitTime = {
  readonly head_stamp: Micros | null
  /** By the committer's clock, in milliseconds. */
  readonly committed_ms: number
  readonly rows: number
}

/**
 * Finds the version that committed a row from its published_at: stamps ascend with versions, so it is the first version whose
 * last stamp is not before it. Compactions and seals keep the head stamp of the version before, so the answer never changes.
 */
export class CommitVersions {
  readonly #table: TableName
  readonly #store: Pick<Store, 'get'>
  readonly #times = new Map<number, CommitTime>()

  constructor(table: TableName, store: Pick<Store, 'get'>) {
    this.#table = table
    this.#store = store
  }

  /**
   * Returns the version that committed a row.
   * @param last  a version that contains the row
   * @throws {ServiceError} WAREHOUSE_CORRUPT names the log file
   */
  async versionOf(published_at: Micros, last: number): Promise<number> {
    let [low, high] = [0, last]
    while (low < high) {
      const middle = (low + high) >> 1
      const { head_stamp } = await this.timeOf(middle)
      if (head_stamp !== null && head_stamp >= published_at) high = middle
      else low = middle + 1
    }
    invariant(low <= last, `${this.#table}: no version has stamp ${published_at}`)
    return low
  }

  /** Reads the times of a version. */
  async timeOf(version: number): Promise<CommitTime> {
    const known = this.#times.get(version)
    if (known !== undefined) return known
    const bytes = await this.#store.get(commitKey(this.#table, version))
    if (bytes === null) throw corrupt(this.#table, version, 'it is missing')
    const { clock, info, actions } = parseCommit(this.#table, version, bytes)
    const rows = actions.reduce((sum, action) => {
      return 'add' in action && action.add.dataChange ? sum + liveFile(this.#table, action.add).rows : sum
    }, 0)
    const time = { head_stamp: clock.head_stamp, committed_ms: info.timestamp, rows }
    if (this.#times.size >= TIMES_MAX) this.#times.clear()
    this.#times.set(version, time)
    return time
  }
}

const TIMES_MAX = 65_536
