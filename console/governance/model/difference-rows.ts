/** One place where the proposed content differs from the record in force. */
export type Difference = { readonly path: string; readonly before: string | null; readonly after: string | null }
export type DifferenceRow = Difference & { readonly change: 'added' | 'removed' | 'changed' }

/** Differences that the page shows; the API has all. */
const ROWS_MAX = 200

/** Returns differences as rows: texts without their quotes, everything else as JSON. */
export function differenceRows(differences: readonly Difference[]): readonly DifferenceRow[] {
  return differences.slice(0, ROWS_MAX).map(({ path, before, after }) => ({
    path,
    before: readable(before),
    after: readable(after),
    change: before === null ? 'added' : after === null ? 'removed' : 'changed',
  }))
}

function readable(json: string | null): string | null {
  if (json === null) return null
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : json
  } catch {
    return json
  }
}

/** Returns a content with line breaks, to be read. */
export function readableContent(content: string): string {
  try {
    return JSON.stringify(JSON.parse(content), null, 2)
  } catch {
    return content
  }
}
