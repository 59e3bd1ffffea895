import type { CalendarEntry } from '../../../protocol/resources/notice.ts'

/** Entries of a calendar in one row: one, or the fixings of a version. */
export type CalendarRow = { readonly entry: CalendarEntry; readonly count: number; readonly last_at: string }

/** Returns entries with the fixings of each version in one row, at the first of them. */
export function calendarRows(entries: readonly CalendarEntry[]): readonly CalendarRow[] {
  const fixings = new Map<string, CalendarEntry[]>()
  for (const entry of entries)
    if (entry.kind === 'fixing') fixings.set(entry.subject_id, [...(fixings.get(entry.subject_id) ?? []), entry])
  return entries.flatMap((entry) => {
    const all = entry.kind === 'fixing' ? fixings.get(entry.subject_id)! : [entry]
    return all[0] === entry ? [{ entry, count: all.length, last_at: all.at(-1)!.at }] : []
  })
}
