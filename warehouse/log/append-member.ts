import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import type { RowList } from '../schema.ts'
import type { TableName } from '../tables.ts'
import type { RowStamps, Stamp } from './choose-stamp.ts'

export type AppendOptions = {
  /** Identity of the writer and the number of its step: a retry with both is a no-op. */
  readonly app_id: string
  readonly app_sequence: number
  readonly stamp: Stamp | RowStamps
  /** Shown in the table's history, such as IMPORT. */
  readonly operation: string
  /** Writes nothing if rows were published after this instant, because the appended rows were decided without them. */
  readonly unless_published_after?: Micros
  /**
   * Names the chains of these rows, such as those of a venue. Appends of other names have no row of these chains, so they may share
   * a commit with this append, and `unless_published_after` takes no notice of their rows in it. Absent: a commit of its own.
   */
  readonly apart?: string
}

export type AppendResult = {
  readonly table: TableName
  readonly version: number
  /** The last stamp of the commit. */
  readonly published_at: Instant
  /** Rows of this append; others may share its commit. */
  readonly rows: number
  /** true: an earlier call with this app_id and app_sequence committed; nothing was written now. */
  readonly already_done: boolean
  /** true: rows were published after `unless_published_after`; nothing was written. */
  readonly overtaken: boolean
}

/** Append that waits for its commit. Only the first call of `resolve` or `reject` counts. */
export type Member = {
  readonly rows: RowList
  readonly options: AppendOptions
  readonly resolve: (result: AppendResult) => void
  readonly reject: (error: unknown) => void
}

/** Rows of one commit, which bounds the memory that appends take together. */
const GROUP_ROWS_MAX = 50_000

/** Returns the first of the waiting appends, with all that may share its commit, in the order of their calls. */
export function firstGroup([first, ...others]: readonly Member[]): readonly Member[] {
  if (first === undefined) return []
  if (!mayShare(first)) return [first]
  const group = [first]
  const names = new Set([first.options.apart])
  const app_ids = new Set([first.options.app_id])
  let rows = first.rows.length
  for (const member of others) {
    const { apart, app_id, operation } = member.options
    if (!mayShare(member) || operation !== first.options.operation) continue
    // Also one that does not fit keeps its name, so that none of the same name goes before it.
    const is_other = !names.has(apart) && !app_ids.has(app_id)
    names.add(apart)
    app_ids.add(app_id)
    if (!is_other || rows + member.rows.length > GROUP_ROWS_MAX) continue
    group.push(member)
    rows += member.rows.length
  }
  return group
}

function mayShare({ options }: Member): boolean {
  return options.apart !== undefined && options.stamp.kind === 'wall'
}

/** The rows of several appends, one after the other. */
export function rowsTogether(members: readonly Member[]): RowList {
  if (members.length === 1) return members[0]!.rows
  const ends: number[] = []
  for (const { rows } of members) ends.push((ends.at(-1) ?? 0) + rows.length)
  const part = ({ rows }: Member, n: number, from: number, to: number) => {
    const start = ends[n]! - rows.length
    const [first, end] = [Math.max(from, start), Math.min(to, ends[n]!)]
    return first < end ? rows.slice(first - start, end - start) : []
  }
  return {
    length: ends.at(-1) ?? 0,
    slice: (from, to) => members.flatMap((member, n) => part(member, n, from, to)),
  }
}

type Committed = { readonly version: number; readonly published_at: Micros; readonly rows: number }

/** Builds the answer to one append. */
export function appendResult(
  table: TableName,
  { version, published_at, rows }: Committed,
  { already_done = false, overtaken = false }: { already_done?: boolean; overtaken?: boolean } = {},
): AppendResult {
  return { table, version, published_at: formatMicros(published_at), rows, already_done, overtaken }
}
