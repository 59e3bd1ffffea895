import type { ShownProposal } from '../../operations/governance/show-proposal.ts'
import { seatText } from '../../pipelines/governance/next-step.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { count } from '../../report/number-text.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'
import { shownProposal } from './governance-ports.ts'
import { printDifferences } from './print-differences.ts'

/** Most differences that are printed; --json has all. */
const DIFFERENCES_MAX = 40

/** `tidemark governance show PROPOSAL`: who has signed it, who is missing, and what it waits for. */
export function showProposalCommand(context: CommandContext) {
  const command = defineCommand('show', 'show a proposal: its acts, signatures given and missing, and what is next', [
    'tidemark governance show prp_example',
    'tidemark governance show prp_example --json',
  ])
    .argument('<proposal>', 'id of the proposal')
    .addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ args, options, settings, output }) => {
    const { showProposal } = await import('../../operations/governance/show-proposal.ts')
    const shown = await withWarehouse(settings, { create: false }, (warehouse) =>
      showProposal(warehouse, args[0]!, options.asOf ?? null),
    )
    if (output.json) {
      const { proposal, ...rest } = shown
      return void (await output.document({ ...shownProposal(proposal), ...rest }))
    }
    await printProposal(output, shown)
  })
}

async function printProposal(output: Output, shown: ShownProposal): Promise<void> {
  const { proposal, next, to_come, seats, ratification_seats, vetoed_before } = shown
  const { proposal_id, kind, target, change_class, state, reason, emergency } = proposal
  await output.line(`${proposal_id}: ${kind} of ${target}, class ${change_class}`)
  await output.line(`state ${state}${reason === null ? '' : `, ${reason}`}`)
  await output.line(`proposed by ${proposal.proposed_by} at ${formatMicros(proposal.proposed_at)}`)
  await output.line(`rationale: ${proposal.rationale}`)
  if (emergency !== null) await output.line(`emergency: ${emergency}`)
  for (const seat of seats) await output.line(`signatures: ${seatText(seat)}`)
  for (const seat of ratification_seats) await output.line(`ratifications: ${seatText(seat)}`)
  for (const { what, at } of to_come) await output.line(`${what} at ${at}`)
  if (vetoed_before.length > 0) await output.line(`repeats a change that was vetoed: ${vetoed_before.join(', ')}`)
  await output.line(`next: ${next}`)
  await printActs(output, shown)
  await output.line()
  const differences = shown.diff.slice(0, DIFFERENCES_MAX)
  await printDifferences(output, differences)
  const more = shown.diff.length - differences.length
  if (more > 0) await output.line(`${count(more)} more with --json`)
}

async function printActs(output: Output, { acts }: ShownProposal): Promise<void> {
  await output.line()
  await output.table(
    ['recorded', 'act', 'actor', 'roles', 'choice', 'said'],
    acts.map(({ recorded_at, act, actor_id, roles, choice, text }) => [
      ...[recorded_at, act, actor_id, roles.join(', '), choice, text],
    ]),
  )
}
