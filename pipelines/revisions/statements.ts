import { toMicros } from '../../primitives/instants.ts'
import { isConfirmation } from './economic-difference.ts'

/** Columns by which the rows of one correction chain follow each other. */
export type ChainRow = {
  readonly revision: number
  readonly supersedes_id: string | null
  readonly correction_reason: string | null
  readonly confirms_id?: string | null
  readonly received_at: string
}

/** A row that states something, with the last instant at which a later row stated the same. */
export type Statement<R> = { readonly row: R; readonly confirmed_at: string }

/**
 * Returns the statements of one chain: rows that only confirm the one before move its `confirmed_at` and are not shown. Earlier
 * releases stored such rows as revisions (`CONFIRMED`); a statement that superseded one supersedes what that row confirmed.
 * @param rows of one chain, by revision, then by receipt
 */
export function chainStatements<R extends ChainRow>(rows: readonly R[], idOf: (row: R) => string): Statement<R>[] {
  const statements: Statement<R>[] = []
  const stated_by = new Map<string, string>()
  for (const row of rows) {
    const last = statements.at(-1)
    if (last !== undefined && isConfirmation(row)) {
      stated_by.set(idOf(row), idOf(last.row))
      const is_later = toMicros(row.received_at) > toMicros(last.confirmed_at)
      if (is_later) statements[statements.length - 1] = { ...last, confirmed_at: row.received_at }
      continue
    }
    const { supersedes_id } = row
    const named = supersedes_id === null ? null : (stated_by.get(supersedes_id) ?? supersedes_id)
    statements.push({ row: { ...row, supersedes_id: named } as R, confirmed_at: row.received_at })
  }
  return statements
}
