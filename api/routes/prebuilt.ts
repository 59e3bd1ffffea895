import type { Row } from '../../warehouse/schema.ts'

/**
 * The bytes of a resource, made once a row: a newest record is asked for many times and changes rarely. Rows are never changed, so
 * the bytes live as long as the row does.
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
