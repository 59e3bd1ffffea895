import pg from 'pg'
import type { PoolClient } from '../create-pool.ts'

/** Rows up to a number of bytes. `cut`: there are further ones. */
export type RowsUpTo<R> = { readonly rows: readonly R[]; readonly cut: boolean }
type Statement = { readonly name: string; readonly text: string; readonly values: unknown[] }

/** Rows that the server sends before it waits for the next request. */
const ROWS_AT_ONCE = 100

/** Handlers of the library's query that its types leave out. */
type Handlers = {
  callback: (error: Error | null, result?: { readonly rows: readonly unknown[] }) => void
  handleDataRow(message: { readonly length: number }): void
  handlePortalSuspended(connection: { sync(): void }): void
}

/**
 * Runs a statement inside a transaction and reads its rows until they have `bytes_max` bytes on the wire, at least one row. The server
 * stops there, so that a page of long rows costs it no more than a page of short ones.
 */
export function queryUpTo<R>(client: PoolClient, statement: Statement, bytes_max: number): Promise<RowsUpTo<R>> {
  const query = new pg.Query({ ...statement, rows: ROWS_AT_ONCE } as pg.QueryConfig)
  const handlers = query as unknown as Handlers
  const { handleDataRow, handlePortalSuspended } = handlers
  let bytes = 0
  let cut = false
  handlers.handleDataRow = (message) => {
    // Every row counts, so that none follows a row that was left out.
    const is_first = bytes === 0
    bytes += message.length
    if (is_first || bytes <= bytes_max) handleDataRow.call(query, message)
    else cut = true
  }
  handlers.handlePortalSuspended = (connection) => {
    // The end of the transaction closes the portal.
    if (cut) connection.sync()
    else handlePortalSuspended.call(query, connection)
  }
  return new Promise((resolve, reject) => {
    handlers.callback = (error, result) => {
      if (error === null) resolve({ rows: result!.rows as readonly R[], cut })
      else reject(error)
    }
    client.query(query)
  })
}
