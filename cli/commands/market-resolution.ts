import type { ResolutionState } from '../../operations/settlement/resolution-step.ts'
import { deriveId, parseId } from '../../primitives/ids.ts'
import type { Invocation } from '../../service/invocation.ts'
import { newestResolution, newResolutionId, resolutionsOf } from '../../service/trading/newest-resolution.ts'
import type { TradingPorts } from '../../service/trading/with-trading.ts'
import type { OperatorCommand } from '../../trading/engine/submission.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { durationOption } from '../options.ts'
import { type ActFlags, actorOf } from '../trading/act-options.ts'
import { type ActingPorts, onAct } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'
import { disputeCommands } from './market-dispute.ts'

type ProposeFlags = {
  readonly payout?: readonly string[]
  readonly evidence?: readonly string[]
  readonly disputeWindow?: string
  readonly wait?: boolean
}
type CorrectFlags = {
  readonly payout: readonly string[]
  readonly evidence?: readonly string[]
  readonly approvedBy: string
  readonly wait?: boolean
}
type Propose = Extract<OperatorCommand, { readonly kind: 'propose_resolution' }>

/** Resolution of markets: `market resolve | void | dispute | decide | correct | archive`. */
export function resolutionCommands(context: CommandContext) {
  return [
    resolveCommand(context),
    voidCommand(context),
    ...disputeCommands(context),
    correctCommand(context),
    archiveCommand(context),
  ]
}

const STATE_TEXTS: { readonly [state in ResolutionState]: string } = {
  window: 'open to dispute',
  disputed: 'disputed: `tidemark market decide`',
  paying: 'paying',
  held: 'remaining positions wait for settlements of their trades: `tidemark settlement list`',
  ended: 'ended',
}

/** Processes that finalize and pay resolutions. */
const PAID_BY = 'tidemark up, tidemark worker or tidemark settlement run'

function proposing(name: string, summary: string, example: string) {
  return defineCommand(name, summary, [example])
    .argument('<market>', 'id of the market; an open or paused market is closed first')
    .option('--evidence <uri...>', 'evidence: URIs')
    .addOption(
      durationOption(
        '--dispute-window <duration>',
        'time for disputes (default: as listed, else PT1M in a sandbox and PT24H elsewhere)',
      ),
    )
    .option('--wait', 'settle, finalize and pay in this process, until everything is paid')
}

function resolveCommand(context: CommandContext) {
  const command = proposing(
    'resolve',
    'propose the resolution of a market; payouts follow after the dispute window',
    'tidemark market resolve mkt_harbor --payout out_harbor_yes=1 --evidence https://port.example/q1 --reason "the report is out"',
  ).requiredOption(
    '--payout <outcome=payout...>',
    'payout of a contract of an outcome, from 0 to 1; 0 for outcomes left out',
  )
  return onAct<ProposeFlags>(command, context, (invocation, ports) => propose(invocation, ports, 'resolved'))
}

function voidCommand(context: CommandContext) {
  const command = proposing(
    'void',
    'propose to void a market; every outcome is paid an equal share unless --payout is given',
    'tidemark market void mkt_harbor --reason "the port was closed"',
  ).option('--payout <outcome=payout...>', 'payout of a contract of an outcome, in place of equal shares')
  return onAct<ProposeFlags>(command, context, (invocation, ports) => propose(invocation, ports, 'voided'))
}

async function propose(
  invocation: Invocation<ProposeFlags & ActFlags>,
  ports: ActingPorts,
  verdict: Propose['verdict'],
): Promise<undefined> {
  const { args, options, settings } = invocation
  const [{ equalPayouts, readPayouts }, { disputeWindow }] = await Promise.all([
    import('../../service/trading/payouts.ts'),
    import('../../service/trading/dispute-window.ts'),
  ])
  const actor = actorOf(options)
  const market = await ports.reads.readMarket(parseId('mkt', args[0], 'market'))
  const { market_id, outcomes } = market
  const resolution_id = newResolutionId('res')
  const command: Propose = {
    kind: 'propose_resolution',
    resolution_id,
    market_id,
    verdict,
    payouts: options.payout === undefined ? equalPayouts(outcomes) : readPayouts(options.payout, outcomes),
    evidence: evidenceOf(resolution_id, options.evidence),
    resolver: { kind: 'operator', resolver_id: actor.actor },
    dispute_window_ms: disputeWindow(options.disputeWindow, market, settings.environment),
  }
  const answer = (await ports.act(command)) as object
  const { payouts } = command
  await follow({ ...answer, verdict, payouts }, resolution_id, invocation, ports)
}

/** Pays in this process with --wait, else names the processes that pay; prints the resolution. */
async function follow(
  answer: object,
  resolution_id: string,
  { options, output, signal }: Invocation<{ readonly wait?: boolean }>,
  ports: TradingPorts,
): Promise<void> {
  if (options.wait !== true) return printRecord(output, { ...answer, paid_by: PAID_BY })
  const [{ resolveHere }, { settlementPorts }] = await Promise.all([
    import('../../service/trading/settle-in-process.ts'),
    import('../../service/trading/worker-trading.ts'),
  ])
  const on_problem = (error: unknown) => output.note(error instanceof Error ? error.message : String(error))
  const on_state = (state: ResolutionState) => output.note(`… ${STATE_TEXTS[state]}`)
  const paid = await resolveHere(resolution_id, settlementPorts(ports, on_problem, signal), on_state)
  const [standing] = (await resolutionsOf(ports, (answer as { market_id: string }).market_id)).filter(
    (one) => one.resolution_id === resolution_id,
  )
  await printRecord(output, { ...answer, ...standing, paid })
}

function correctCommand(context: CommandContext) {
  const command = defineCommand('correct', 'correct a final resolution by a new revision and pay the differences', [
    'tidemark market correct mkt_harbor --payout out_harbor_no=1 --approved-by desk-lead --evidence case:91 --reason "the port has corrected its report"',
  ])
    .argument('<market>', 'id of the market')
    .requiredOption(
      '--payout <outcome=payout...>',
      'payout of a contract of an outcome, from 0 to 1; 0 for outcomes left out',
    )
    .option('--evidence <uri...>', 'evidence: URIs')
    .requiredOption('--approved-by <name>', 'who approved it; not the actor')
    .option('--wait', 'pay in this process, until everything is paid')
  return onAct<CorrectFlags>(command, context, async (invocation, ports) => {
    const { args, options } = invocation
    const { readPayouts } = await import('../../service/trading/payouts.ts')
    const actor = actorOf(options)
    const { outcomes } = await ports.reads.readMarket(parseId('mkt', args[0], 'market'))
    const { resolution_id: supersedes_id, verdict } = await newestResolution(ports, args[0])
    const resolution_id = newResolutionId('res')
    const payouts = readPayouts(options.payout, outcomes)
    const answer = (await ports.act({
      kind: 'correct_resolution',
      resolution_id,
      supersedes_id,
      payouts,
      evidence: evidenceOf(resolution_id, options.evidence),
      resolver: { kind: 'operator', resolver_id: actor.actor },
      correction_reason: actor.reason,
      approved_by: options.approvedBy,
    })) as object
    await follow({ ...answer, verdict, payouts, supersedes_id }, resolution_id, invocation, ports)
  })
}

function archiveCommand(context: CommandContext) {
  const command = defineCommand('archive', 'archive a resolved or voided market', [
    'tidemark market archive mkt_harbor --reason "paid out"',
  ]).argument('<market>', 'id of the market')
  return onAct(command, context, async ({ args, output }, { act, reads }) => {
    const { market_id } = await reads.readMarket(parseId('mkt', args[0], 'market'))
    await act({ kind: 'move_market', market_id, to: 'archived' })
    return void (await printRecord(output, { market_id, status: 'archived' }))
  })
}

function evidenceOf(resolution_id: string, uris: readonly string[] = []): Propose['evidence'] {
  return uris.map((source_uri, place) => ({
    evidence_id: deriveId('evd', resolution_id, place, source_uri),
    kind: 'document',
    source_uri,
    observed_at: null,
    content_hash: null,
  }))
}
