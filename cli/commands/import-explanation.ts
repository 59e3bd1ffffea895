import type { ImportExplanation } from '../../operations/import/explain/explanation.ts'
import { count } from '../../report/number-text.ts'
import type { Output } from '../../service/output.ts'

/** Files and groups of equal problems that are printed; `--json` has all of them. */
const SHOWN = 20

/** Prints what an import would do. */
export async function printExplanation(output: Output, explained: ImportExplanation): Promise<void> {
  const { archive, archive_why, path, records, input, market_count, markets, venues } = explained
  await output.line(`${path} is read as ${archive}: ${archive_why}; nothing is stored`)
  await output.line()
  await printFiles(output, explained)
  for (const rule of explained.mapping) await output.line(rule)
  if (explained.mapping.length > 0) await output.line()
  await output.table(
    ['records', 'read', 'usable', 'repeated', 'redacted', 'ignored', 'quarantined'],
    [
      { file: 'all files', ...input },
      ...(explained.input_files.length > 1 ? explained.input_files.slice(0, SHOWN) : []),
    ].map((counts) => [
      counts.file,
      count(counts.read),
      count(counts.usable),
      count(counts.repeated),
      count(counts.redacted),
      count(counts.ignored),
      count(counts.quarantined),
    ]),
  )
  await output.line()
  const made = Object.entries(records).filter(([, number]) => number > 0)
  await output.line(`gives ${made.map(([list, number]) => `${count(number)} ${list}`).join(', ') || 'no record'}`)
  await output.line(
    `of ${count(market_count)} markets of ${venues.join(', ') || 'no venue'}: ${markets.join(', ')}${market_count > markets.length ? ', …' : ''}`,
  )
  await output.line(`values from ${explained.first_source_at ?? '-'} to ${explained.last_source_at ?? '-'}`)
  await printReasons(output, explained)
  await output.line()
  await output.line(explained.advice)
}

async function printFiles(output: Output, { files }: ImportExplanation): Promise<void> {
  const rows = files.flatMap(({ file, form, why, endpoints }) => {
    if (endpoints.length === 0) return [[file, form ?? 'not read', '', '', why]]
    return endpoints.map(({ venue_id, endpoint, payloads, known_by }, n) => [
      n === 0 ? file : '',
      n === 0 ? (form ?? '') : '',
      `${venue_id} ${endpoint}`,
      count(payloads),
      known_by,
    ])
  })
  await output.table(['file', 'form', 'endpoint', 'payloads', 'known by'], rows.slice(0, SHOWN))
  if (rows.length > SHOWN) await output.line(`… and ${count(rows.length - SHOWN)} more rows`)
  await output.line()
}

async function printReasons(output: Output, { ignored, redactions, problems }: ImportExplanation): Promise<void> {
  const { IGNORE_RULES, REDACTION_RULES } = await import('../../pipelines/venues/outcomes.ts')
  const rows = [
    ...ignored.map(({ rule, ...first }) => ['ignored', rule, first, IGNORE_RULES[rule]] as const),
    ...redactions.map(({ rule, ...first }) => ['redacted', rule, first, REDACTION_RULES[rule]] as const),
    ...problems.map(({ reason, advice, ...first }) => ['quarantined', reason, first, advice] as const),
  ]
  if (rows.length === 0) return
  await output.line()
  await output.table(
    ['outcome', 'reason', 'count', 'first file', 'line', 'what it is, and what to do'],
    rows
      .slice(0, SHOWN)
      .map(([outcome, reason, first, meaning]) => [
        outcome,
        reason,
        count(first.count),
        first.file,
        first.line,
        meaning,
      ]),
  )
  if (rows.length > SHOWN) await output.line(`… and ${count(rows.length - SHOWN)} more reasons`)
}
