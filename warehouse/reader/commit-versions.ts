import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { corrupt } from '../log/commit-text.ts'
import { liveFile } from '../log/log-state.ts'
import type { TableName } from '../tables.ts'
import type { TableLog } from '../warehouse.ts'

type ReadCommit = TableLog['commit']

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
  readonly #read: ReadCommit
  readonly #times = new Map<number, CommitTime>()

  constructor(table: TableName, read: ReadCommit) {
    this.#table = table
    this.#read = read
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
    const commit = await this.#read(version)
    if (commit === null) throw corrupt(this.#table, version, 'it is missing')
    const { clock, info, actions } = commit
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
