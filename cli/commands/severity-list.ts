import { withWarehouse } from '../../service/with-warehouse.ts'
import type { AssessmentType } from '../../vocabulary/severity.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'
import { typeOption } from '../review/type-option.ts'

/** `tidemark severity list`: current assessments of one type. */
export function severityListCommand(context: CommandContext) {
  const command = defineCommand('list', 'list the current assessments, worst first, UNKNOWN last', [
    'tidemark severity list',
    'tidemark severity list --type forecast --json',
  ])
    .addOption(typeOption())
    .addOption(asOfOption())
  return onAction<{ asOf?: string; type: AssessmentType }>(command, context, async ({ options, settings, output }) => {
    const { listSeverity } = await import('../../operations/severity/read-severity.ts')
    const rows = await withWarehouse(settings, { create: false }, (warehouse) =>
      listSeverity({ as_of: options.asOf ?? null, assessment_type: options.type, warehouse }),
    )
    if (output.json) return void (await output.document(rows))
    const cell = (value: unknown) => (value === null || value === undefined ? null : String(value))
    await output.list(
      ['event', 'title', 'level', 'score', 'low', 'high', 'confidence', 'state'],
      rows.map((row) => {
        const range = (row.score_range ?? {}) as { readonly low?: string; readonly high?: string }
        const head = [cell(row.event_id), cell(row.title)?.slice(0, 50), cell(row.level), cell(row.score)]
        return [...head, cell(range.low), cell(range.high), cell(row.confidence), cell(row.review_state)]
      }),
    )
  })
}
