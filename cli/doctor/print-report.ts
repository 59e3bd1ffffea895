import type { DoctorReport } from '../../client/doctor/run-doctor.ts'
import { count } from '../../report/number-text.ts'
import type { Output } from '../../service/output.ts'

const VALUE_LENGTH_MAX = 600

/** Prints one row a check, then the first difference with both requests and both values. */
export async function printReport(output: Output, report: DoctorReport): Promise<void> {
  await output.table(
    ['check', 'title', 'compared', 'requests', 'values', 'result'],
    report.checks.map(({ id, title, compares, requests, compared, result, different, reason, legacy }) => [
      id,
      title,
      compares,
      requests,
      count(compared),
      result === 'different'
        ? `${count(different)} different`
        : [result, noteOf(legacy), reason].filter(Boolean).join(': '),
    ]),
  )
  const { took_ms, requests, seed, as_of, first_difference } = report
  await output.line(
    `${count(requests)} requests in ${(took_ms / 1000).toFixed(1)} s, as of ${as_of}; repeat with --seed ${seed}`,
  )
  for (const { index_id, since, message } of report.stuck_indexes)
    await output.line(`publication of ${index_id} stopped at ${since}: ${message}`)
  const failed = report.checks.find(({ result }) => result === 'failed')
  if (failed !== undefined) await output.line(`${failed.id} could not be finished: ${failed.reason}`)
  if (first_difference === null) return output.line(failed === undefined ? 'the answers agree' : 'no answers differ')
  const { check, field, first, second } = first_difference
  await output.line(`first difference: ${check}, ${field || 'the answer'}`)
  for (const { request, value } of [first, second]) await output.line(`  ${request}\n    ${valueText(value)}`)
}

function noteOf(legacy: Readonly<Record<string, number>>): string {
  return Object.entries(legacy)
    .map(([what, times]) => `${count(times)} ${what}`)
    .join(', ')
}

function valueText(value: unknown): string {
  const text = value === undefined ? '(no such field)' : JSON.stringify(value)
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}...` : text
}
