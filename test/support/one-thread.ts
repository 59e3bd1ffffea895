import { DuckDBInstance } from '@duckdb/node-api'

/**
 * Gives every DuckDB of the fast lane one thread, unless its settings name a number: the warehouses of tests are small, and handing
 * their few rows from thread to thread costs a sixth of the processor time. The slow lane keeps DuckDB's own number.
 */
const patched = Symbol.for('tidemark.one-thread')
const once = globalThis as { [patched]?: true }
if (once[patched] === undefined) {
  once[patched] = true
  const create = DuckDBInstance.create.bind(DuckDBInstance)
  DuckDBInstance.create = (path, options) => create(path, { threads: '1', ...options })
}
