import { formatMicros } from '../../primitives/instants.ts'
import { quoteText, readSql } from '../sql/read-sql.ts'
import type { AddFile } from './actions.ts'
import type { LogContext } from './log-context.ts'
import { type LiveFile, liveFile } from './log-state.ts'
import type { Report } from './log-violation.ts'
import { checkedPath, Damage } from './verified-files.ts'

type Origin = { readonly add: AddFile; readonly version: number }
type Checked = { readonly file: LiveFile; readonly path: string; readonly version: number; readonly appended: boolean }

/** Files checked by one query. */
const FILES_PER_QUERY = 200

/** Checks live data files: their bytes, and if these are intact, their rows against the log. */
export async function checkDataFiles(context: LogContext, origins: readonly Origin[], report: Report): Promise<void> {
  const whole: Checked[] = []
  for (const { add, version } of origins) {
    const file = liveFile(context.table, add)
    const path = await checkedPath(context, file)
    if (path instanceof Damage) report(version, file.key, 'DATA_FILE_DAMAGED', path.text)
    else whole.push({ file, path, version, appended: add.dataChange })
  }
  for (let from = 0; from < whole.length; from += FILES_PER_QUERY) {
    await checkRows(context, whole.slice(from, from + FILES_PER_QUERY), report)
  }
}

async function checkRows(context: LogContext, checked: readonly Checked[], report: Report): Promise<void> {
  await checkStampOrder(context, checked, report)
  const rows = await context.engine.query(readSql(import.meta.url, 'sql/file_rows.sql', { files: fileList(checked) }))
  const by_path = new Map(rows.map((row) => [row.filename, row]))
  for (const { file, path, version, appended } of checked) {
    const found = by_path.get(path)
    const count = Number(found?.rows ?? 0)
    if (count !== file.rows) report(version, file.key, 'ROW_COUNT', `it has ${count} rows, its log says ${file.rows}`)
    if (found === undefined) continue
    const [stamp_min, stamp_max] = [Number(found.stamp_min), Number(found.stamp_max)]
    if (stamp_min !== file.stamp_min || stamp_max !== file.stamp_max) {
      const seen = `published_at runs from ${formatMicros(stamp_min)} to ${formatMicros(stamp_max)}`
      const stated = `${formatMicros(file.stamp_min)} to ${formatMicros(file.stamp_max)}`
      report(version, file.key, 'PUBLISHED_AT', `${seen}, its log says ${stated}`)
    }
    if (appended && (Number(found.ordinals) !== count || Number(found.ordinal_max) !== count - 1)) {
      report(version, file.key, 'ROW_ORDINAL', `row_ordinal does not number its ${count} rows from 0`)
    }
  }
}

/** Checks the order of stamps in commits that have several. */
async function checkStampOrder(context: LogContext, checked: readonly Checked[], report: Report): Promise<void> {
  const several = checked.filter(({ file, appended }) => appended && file.stamp_min < file.stamp_max)
  if (several.length === 0) return
  const found = await context.engine.query(
    readSql(import.meta.url, 'sql/stamp_order.sql', { files: fileList(several) }),
  )
  const wrong = new Set(found.map(({ filename }) => filename))
  for (const { file, path, version } of several) {
    if (wrong.has(path)) report(version, file.key, 'STAMP_ORDER', 'its stamps do not ascend with row_ordinal')
  }
}

function fileList(checked: readonly Checked[]): string {
  return `[${checked.map(({ path }) => quoteText(path)).join(', ')}]`
}
