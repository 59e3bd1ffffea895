import type { Row } from '../../warehouse/schema.ts'

/**
 * Caches the bytes of a resource for each row: the newest record is read often and changes rarely. Rows are immutable, so the
 * bytes live as long as their row.
 */
export function prebuilt(project: (row: Row) => unknown): (row: Row) => Buffer {
  const bytes = new WeakMap<Row, Buffer>()
  return (row) => {
    const known = bytes.get(row)
    if (known !== undefined) return known
    const made = Buffer.from(JSON.stringify(project(row)))
    bytes.set(row, made)
    return made
  }
}
