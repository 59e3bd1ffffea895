import { withWarehouse } from '../../service/with-warehouse.ts'
import type { AssessmentType } from '../../vocabulary/severity.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'
import { PERIOD_FIELDS, printRecord } from '../review/print-record.ts'
import { typeOption } from '../review/type-option.ts'

const RECORD_FIELDS = [
  ...['assessment_id', 'event_id', 'assessment_type', 'level', 'score', 'score_range', 'confidence', 'reason_codes'],
  ...['rationale', 'event_time_window', 'observation_cutoff_at', 'forecast_horizon_end', 'exceedance'],
  ...['methodology_id', 'methodology_version', 'issuer', 'effective_from', 'effective_to', 'published_at'],
  ...['review_state', 'override', 'dispute', 'withdrawal'],
]
const HISTORY_FIELDS = [
  ...['assessment_id', 'revision', 'level', 'score', 'review_state', 'correction_reason'],
  ...PERIOD_FIELDS,
]

/** `tidemark severity show EVENT`: the current assessment of one type, its evidence, all records and acts. */
export function severityShowCommand(context: CommandContext) {
  const command = defineCommand('show', "show an event's current assessment, its evidence, all records and acts", [
    'tidemark severity show evt_example',
    'tidemark severity show evt_example --type forecast --as-of 2026-01-17T00:00:00Z --json',
  ])
    .argument('<event>', 'event id')
    .addOption(typeOption())
    .addOption(asOfOption())
  return onAction<{ asOf?: string; type: AssessmentType }>(
    command,
    context,
    async ({ args, options, settings, output }) => {
      const { showSeverity } = await import('../../operations/severity/read-severity.ts')
      const request = { event_id: args[0]!, assessment_type: options.type, as_of: options.asOf ?? null }
      const shown = await withWarehouse(settings, { create: false }, (warehouse) =>
        showSeverity({ ...request, warehouse }),
      )
      if (output.json) return void (await output.document(shown))
      const { assessment, history, acts } = shown
      await printRecord(
        output,
        { record: assessment, history, acts },
        { record: RECORD_FIELDS, history: HISTORY_FIELDS },
      )
    },
  )
}
