import type { ListingReport } from '../../operations/own-venue/list-markets.ts'
import { parseId } from '../../primitives/ids.ts'
import type { Output } from '../../service/output.ts'
import { type Act, signedAct } from '../../service/trading/operator-act.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { type ActFlags, actorOf, signingOptions } from '../trading/act-options.ts'
import { actPortsOf, onTrading } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'

/** `tidemark listing ...`: lists markets of other venues for trading here. */
export function listingCommand(context: CommandContext) {
  const group = defineCommand('listing', 'list markets of other venues for trading here, by a policy')
  return group.addCommand(runCommand(context)).addCommand(approveCommand(context))
}

function runCommand(context: CommandContext) {
  const command = defineCommand(
    'run',
    'list the markets that the policy selects and update listed ones from their references, once',
    [
      'tidemark listing run datasets/listing/sandbox.yaml --dry-run',
      'tidemark listing run datasets/listing/sandbox.yaml --json',
    ],
  )
    .argument('<file>', 'listing policy (docs/own-venue.md)')
    .option('--dry-run', 'show the actions without performing them')
  return onTrading<{ dryRun?: boolean }>(command, context, async (invocation, { client, pool, reads: operator }) => {
    const { args, options, settings, output } = invocation
    const [{ readListingFile }, { listMarkets }, { createVenueReads }] = await Promise.all([
      import('../../service/trading/listing-policy-file.ts'),
      import('../../operations/own-venue/list-markets.ts'),
      import('../../trading/store/venue/venue-reads.ts'),
    ])
    const policy = await readListingFile(args[0]!)
    const report = await withWarehouse(settings, { create: false }, (warehouse) => {
      const reads = createVenueReads(pool)
      return listMarkets({ warehouse, reads, operator, client, policy }, options.dryRun === true)
    })
    return void (await (output.json ? output.document(report) : print(output, report)))
  })
}

function approveCommand(context: CommandContext) {
  const command = defineCommand(
    'approve',
    'correct the resolution of a listing after its reference was corrected, once the dispute window has ended',
    [
      'tidemark listing approve datasets/listing/sandbox.yaml mkt_4711 --approved-by risk-lead --reason "the venue has corrected its result, case 94"',
    ],
  )
    .argument('<file>', 'listing policy (docs/own-venue.md)')
    .argument('<market>', 'market_id of the listing')
    .requiredOption('--approved-by <name>', 'operator who approved it; not the actor')
  for (const option of signingOptions()) command.addOption(option)
  return onTrading<ActFlags & { readonly approvedBy: string }>(command, context, async (invocation, ports) => {
    const { args, options, settings, output } = invocation
    const { client, pool, reads: operator } = ports
    const [{ readListingFile }, { approveCorrection }, { createVenueReads }] = await Promise.all([
      import('../../service/trading/listing-policy-file.ts'),
      import('../../operations/own-venue/approve-correction.ts'),
      import('../../trading/store/venue/venue-reads.ts'),
    ])
    const policy = await readListingFile(args[0]!)
    const { approvedBy: approved_by } = options
    const act_ports = actPortsOf(invocation, ports)
    const sign = (act: Pick<Act, 'act_id' | 'command'>) => signedAct(act_ports, actorOf(options), act, true)
    const approval = { market_id: parseId('mkt', args[1], 'market'), approved_by }
    const { correction, answer } = await withWarehouse(settings, { create: false }, (warehouse) =>
      approveCorrection({ warehouse, reads: createVenueReads(pool), operator, client, policy }, approval, sign),
    )
    const { payouts, evidence } = correction.command
    await printRecord(output, { ...(answer as object), payouts, evidence, approved_by })
  })
}

async function print(output: Output, { acts, notes }: ListingReport): Promise<void> {
  await output.table(
    ['market', 'act', 'result', 'reason'],
    acts.map(({ market_id, command, result, error, reason }) => [
      market_id,
      command.kind === 'move_market' ? command.to : command.kind,
      result,
      error ?? reason,
    ]),
  )
  for (const { market_id, note } of notes) await output.line(`${market_id}: ${note}`)
}
