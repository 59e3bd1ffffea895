import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../test/support/source-files.ts'

/** Folder of the lanes' reports. */
export const REPORTS = join(ROOT, 'reports/reliability')

/**
 * Prints a lane's one line with the seconds since its process began, keeps it in reports/reliability, and has the process end with 1
 * where there is a violation.
 */
export function writeReport(
  name: string,
  report: { readonly violations: readonly unknown[]; readonly [fact: string]: unknown },
): void {
  const line = JSON.stringify({ ...report, seconds: Math.round(performance.now() / 1000) })
  mkdirSync(REPORTS, { recursive: true })
  writeFileSync(join(REPORTS, `${name}.json`), `${line}\n`)
  process.stdout.write(`${line}\n`)
  process.exitCode = report.violations.length === 0 ? 0 : 1
}
