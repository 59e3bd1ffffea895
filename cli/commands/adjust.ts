import { randomBytes } from 'node:crypto'
import { Option } from 'commander'
import { ServiceError } from '../../primitives/errors.ts'
import { parseId } from '../../primitives/ids.ts'
import { adjustedSides, adjustmentText } from '../../service/trading/adjusted-sides.ts'
import { ADJUSTMENT_TYPES, type AdjustmentType } from '../../vocabulary/settlement.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { actorOf } from '../trading/act-options.ts'
import { onAct } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'

type Flags = {
  readonly type: AdjustmentType
  readonly quantity?: string
  readonly notional?: string
  readonly fee?: string
  readonly code: string
  readonly evidence?: readonly string[]
  readonly approvedBy: string
  readonly supersedes?: string
}

/** `tidemark adjust FILL`: busts or amends a fill by an adjustment record; the fill itself does not change. */
export function adjustCommand(context: CommandContext) {
  const command = defineCommand('adjust', 'bust or amend a fill by an adjustment that a second person approved', [
    'tidemark adjust fill_0f3a --type bust --code ERRONEOUS_TRADE --approved-by desk-lead --reason "price was a typing error"',
    'tidemark adjust fill_0f3a --type amend --fee -0.010000 --code FEE_ERROR --approved-by desk-lead --evidence case:81 --reason "wrong schedule"',
  ])
    .argument('<fill>', 'id of the fill')
    .addOption(
      new Option('--type <type>', 'bust: undo the whole fill; amend: change it')
        .choices(ADJUSTMENT_TYPES)
        .makeOptionMandatory(),
    )
    .option('--quantity <delta>', 'amend: signed change of its quantity')
    .option('--notional <delta>', 'amend: signed change of its notional')
    .option('--fee <delta>', 'amend: signed change of its fee')
    .requiredOption('--code <code>', 'reason code, such as ERRONEOUS_TRADE')
    .option('--evidence <reference...>', 'evidence: URIs or ids')
    .requiredOption('--approved-by <name>', 'who approved it; not the actor')
    .option('--supersedes <adjustment>', 'adjustment of the same fill that this one corrects')
  return onAct<Flags>(command, context, async ({ args, options, output }, { act, reads }) => {
    const actor = actorOf(options)
    if (options.approvedBy === actor.actor) throw selfApproved(options.approvedBy)
    const { fill_id } = await reads.readFill(parseId('fill', args[0], 'fill'))
    const adjustment = {
      kind: 'adjust_fill',
      adjustment_id: `adj_${randomBytes(16).toString('hex')}`,
      fill_id,
      adjustment_type: options.type,
      quantity_delta: options.quantity ?? null,
      notional_delta: options.notional ?? null,
      fee_delta: options.fee ?? null,
      reason_code: options.code,
      rationale: actor.reason,
      evidence: options.evidence ?? [],
      approved_by: options.approvedBy,
      supersedes_adjustment_id: options.supersedes ?? null,
    } as const
    output.note(adjustmentText(await adjustedSides(reads, adjustment)))
    const made = await act(adjustment)
    const { kind: _, ...asked } = adjustment
    return void (await printRecord(output, made ?? asked))
  })
}

function selfApproved(name: string): ServiceError {
  const message = `approved-by is ${JSON.stringify(name)}, the actor; allowed: a second person`
  return new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'approved-by', value: name })
}
