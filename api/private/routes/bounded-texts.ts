import { PAGE_BYTES_MAX } from '../../../protocol/limits.ts'

/**
 * Returns the JSON texts of the first records that make an array of at most `bytes_max` bytes, at least one. Records after them are
 * never built, so that the work for a page ends with it.
 */
export function boundedTexts<R>(
  rows: readonly R[],
  recordOf: (row: R) => object,
  bytes_max: number = PAGE_BYTES_MAX,
): readonly string[] {
  const texts: string[] = []
  // One bracket; the other one ends the array as a comma ends a record.
  let bytes = 1
  for (const row of rows) {
    const text = JSON.stringify(recordOf(row))
    bytes += Buffer.byteLength(text) + 1
    if (texts.length > 0 && bytes > bytes_max) break
    texts.push(text)
  }
  return texts
}
