import type { ReviewRow, Value } from '../../pipelines/review/subject.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'
import type { ReviewGroup } from './review-group.ts'

/** `tidemark rating waiting`, `tidemark severity waiting`: records that need a committee member. */
export function waitingCommand(context: CommandContext, { name, grade, subject: load }: ReviewGroup) {
  const summary = 'list the proposals, returned records and disputes that wait for a person'
  const command = defineCommand('waiting', summary, [`tidemark ${name} waiting`, `tidemark ${name} waiting --json`])
  command.addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ options, settings, output }) => {
    const { listWaiting } = await import('../../operations/review/list-waiting.ts')
    const subject = await load()
    const rows = await withWarehouse(settings, { create: false }, (warehouse) =>
      listWaiting(subject, { as_of: options.asOf ?? null, warehouse }),
    )
    if (output.json) return void (await output.document(rows))
    if (rows.length === 0) return void (await output.line('nothing is waiting'))
    await output.table(
      ['record', subject.subject_field, grade, 'score', 'state', 'by', 'since'],
      rows.map((row) => [
        ...[row[subject.id_field], row[subject.subject_field], row[grade], row.score, row.review_state].map(cell),
        cell(byOf(row)),
        cell(row.published_at),
      ]),
    )
  })
}

/** Returns who put a record forward: the filer of a dispute, the proposer, else the program. */
function byOf({ review_state, dispute, proposed_by, issuer }: ReviewRow): Value {
  const { filer } = (dispute ?? {}) as { readonly filer?: string }
  if (review_state === 'disputed' && filer !== undefined) return filer
  return proposed_by ?? (issuer as { readonly issuer_id: string }).issuer_id
}

function cell(value: Value): string | null {
  return value === null || value === undefined ? null : String(value)
}
