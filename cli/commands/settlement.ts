import { randomBytes } from 'node:crypto'
import { Option } from 'commander'
import { ServiceError } from '../../primitives/errors.ts'
import { parseId } from '../../primitives/ids.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import type { Invocation } from '../../service/invocation.ts'
import type { Output } from '../../service/output.ts'
import type { TradingPorts } from '../../service/trading/with-trading.ts'
import { SETTLEMENT_STATES } from '../../vocabulary/settlement.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { parseCount } from '../options.ts'
import { type ActFlags, actorOf, actorOptions } from '../trading/act-options.ts'
import { onAct, onTrading } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'

/** `tidemark settlement ...`: settlements for operators. */
export function settlementCommand(context: CommandContext) {
  return defineCommand('settlement', 'list, retry, reverse and run settlements')
    .addCommand(listCommand(context))
    .addCommand(showCommand(context))
    .addCommand(backlogCommand(context))
    .addCommand(waitingCommand(context))
    .addCommand(retryCommand(context))
    .addCommand(reverseCommand(context))
    .addCommand(runCommand(context))
}

type ListFlags = {
  readonly state?: string
  readonly account?: string
  readonly market?: string
  readonly asset?: string
  readonly takenBack?: boolean
  readonly limit: number
}

function listCommand(context: CommandContext) {
  const command = defineCommand('list', 'list settlements of all accounts, latest change first', [
    'tidemark settlement list --state failed',
    'tidemark settlement list --account acct_north --json',
  ])
    .addOption(new Option('--state <state>', 'only those in this state').choices(SETTLEMENT_STATES))
    .option('--account <account>', 'only those of this account')
    .option('--market <market>', 'only those of this market')
    .option('--asset <asset>', 'only those in this asset')
    .option('--taken-back', 'only confirmed ones that the rail took back: each needs a reversal')
    .addOption(new Option('--limit <n>', 'most rows').default(50).argParser(parseCount))
  return onTrading<ListFlags>(command, context, async (invocation, ports) => {
    const { options, output } = invocation
    const { settlementReads } = await import('../../trading/store/settlement/settlement-reads.ts')
    const { state = null, account = null, market = null, asset = null, limit } = options
    const filter = { state, account_id: account, market_id: market, asset_id: asset, limit }
    const listed = await settlementReads(ports.pool).listSettlements(filter)
    const taken_back = options.takenBack === true ? await takenBack(invocation, ports) : null
    const found = taken_back === null ? listed : listed.filter(({ settlement_id }) => taken_back.has(settlement_id))
    if (output.json) return void (await output.document(found))
    await output.list(
      ['settlement', 'state', 'account', 'outcome', 'side', 'quantity', 'amount', 'attempts', 'failure', 'next'],
      found.map((one) => [
        one.settlement_id,
        one.state,
        one.account_id,
        one.outcome_id,
        one.side,
        one.quantity,
        one.amount,
        one.attempt_count,
        one.state === 'failed' ? one.failure_code : null,
        one.state === 'failed' ? one.next_action : null,
      ]),
    )
  })
}

async function takenBack({ output, signal }: Invocation<object>, ports: TradingPorts): Promise<ReadonlySet<string>> {
  const [{ railReversals }, { settlementPorts }] = await Promise.all([
    import('../../operations/settlement/rail-reversals.ts'),
    import('../../service/trading/worker-trading.ts'),
  ])
  return new Set(await railReversals(settlementPorts(ports, problemNotes(output), signal)))
}

/** Notes failures that are retried. */
function problemNotes(output: Output): (error: unknown) => void {
  return (error) => output.note(error instanceof Error ? error.message : String(error))
}

function showCommand(context: CommandContext) {
  const command = defineCommand('show', 'show a settlement with all its attempts', [
    'tidemark settlement show stl_4711',
  ]).argument('<settlement>', 'id of the settlement')
  return onTrading(command, context, async ({ args, output }, { pool }) => {
    const { settlementReads } = await import('../../trading/store/settlement/settlement-reads.ts')
    const found = await settlementReads(pool).readSettlement(parseId('stl', args[0], 'settlement'))
    if (output.json) return void (await output.document(found))
    const { attempts, ...facts } = found
    await output.table(['field', 'value'], Object.entries(facts))
    await output.table(
      ['attempt', 'state', 'submitted', 'concluded', 'failure', 'message', 'next', 'reference'],
      attempts.map((one) => [
        one.attempt_number,
        one.state,
        one.submitted_at,
        one.concluded_at,
        one.failure_code,
        one.message,
        one.next_action,
        one.external_reference,
      ]),
    )
  })
}

function backlogCommand(context: CommandContext) {
  const command = defineCommand('backlog', 'show pending settlements by asset and their age', [
    'tidemark settlement backlog',
  ])
  return onTrading(command, context, async ({ output }, { pool }) => {
    const [{ settlementWork }, { measureBacklog }] = await Promise.all([
      import('../../trading/store/settlement/settlement-work.ts'),
      import('../../operations/settlement/measure-backlog.ts'),
    ])
    const backlog = await measureBacklog(settlementWork(pool), wallClock())
    if (output.json) return void (await output.document(backlog))
    await output.table(
      ['asset', 'pending', 'submitted', 'retrying', 'for an operator', 'oldest ms'],
      backlog.map((one) => [one.asset_id, one.pending, one.submitted, one.retrying, one.in_review, one.oldest_ms]),
    )
  })
}

function waitingCommand(context: CommandContext) {
  const command = defineCommand('waiting', 'list positions whose settlements hold up payouts of ended markets', [
    'tidemark settlement waiting',
  ]).addOption(new Option('--limit <n>', 'most rows').default(100).argParser(parseCount))
  return onTrading<{ readonly limit: number }>(command, context, async ({ options, output }, { pool }) => {
    const { settlementReads } = await import('../../trading/store/settlement/settlement-reads.ts')
    const found = await settlementReads(pool).listWaitingPayouts(options.limit)
    if (output.json) return void (await output.document(found))
    await output.table(
      ['market', 'resolution', 'final since', 'account', 'outcome', 'open settlements', 'holds up'],
      found.map((one) => [
        one.market_id,
        one.resolution_id,
        one.finalized_at,
        one.account_id,
        one.outcome_id,
        one.open_settlements,
        one.holds_up,
      ]),
    )
  })
}

function retryCommand(context: CommandContext) {
  const command = defineCommand('retry', 'retry a failed settlement, also one that waits for an operator', [
    'tidemark settlement retry stl_4711 --reason "the rail works again, case 92"',
  ]).argument('<settlement>', 'id of the settlement')
  for (const option of actorOptions()) command.addOption(option)
  return onTrading<ActFlags>(command, context, async ({ args, options, output, signal }, ports) => {
    const [{ settlementReads }, { settlementPorts }, { settleAttempts }, { attemptId }] = await Promise.all([
      import('../../trading/store/settlement/settlement-reads.ts'),
      import('../../service/trading/worker-trading.ts'),
      import('../../operations/settlement/settle-attempts.ts'),
      import('../../operations/settlement/attempt-id.ts'),
    ])
    const reads = settlementReads(ports.pool)
    const found = await reads.readSettlement(parseId('stl', args[0], 'settlement'))
    const { settlement_id, state, attempt_count } = found
    if (state !== 'failed') throw notFailed(settlement_id, state)
    const attempt = { settlement_id, attempt_id: attemptId(settlement_id, attempt_count + 1) }
    await settleAttempts([attempt], settlementPorts(ports, problemNotes(output), signal), actorOf(options))
    const { attempts, ...facts } = await reads.readSettlement(settlement_id)
    return void (await printRecord(output, { ...facts, last_attempt: attempts.at(-1) ?? null }))
  })
}

type ReverseFlags = {
  readonly code: string
  readonly evidence?: readonly string[]
  readonly approvedBy: string
}

function reverseCommand(context: CommandContext) {
  const command = defineCommand(
    'reverse',
    'reverse a confirmed settlement by mirror entries that a second person approved',
    [
      'tidemark settlement reverse stl_4711 --code RAIL_REVERSAL --approved-by desk-lead --evidence case:93 --reason "the bank took it back"',
    ],
  )
    .argument('<settlement>', 'id of the settlement; the trade is pending again')
    .option('--code <code>', 'reason code', 'RAIL_REVERSAL')
    .option('--evidence <reference...>', 'evidence: URIs or ids')
    .requiredOption('--approved-by <name>', 'who approved it; not the actor')
  return onAct<ReverseFlags>(command, context, async ({ args, options, output }, { act, pool }) => {
    const { settlementReads } = await import('../../trading/store/settlement/settlement-reads.ts')
    const { settlement_id } = await settlementReads(pool).readSettlement(parseId('stl', args[0], 'settlement'))
    const actor = actorOf(options)
    const reversal = {
      kind: 'reverse_settlement',
      reversal_id: `rev_${randomBytes(16).toString('hex')}`,
      settlement_id,
      reason_code: options.code,
      rationale: actor.reason,
      evidence: options.evidence ?? [],
      approved_by: options.approvedBy,
    } as const
    const answer = await act(reversal)
    const { kind: _, ...asked } = reversal
    return void (await printRecord(output, { ...asked, ...(answer as object | null) }))
  })
}

function runCommand(context: CommandContext) {
  const command = defineCommand('run', 'settle and pay in this process until stopped', [
    'tidemark settlement run --once',
  ]).option('--once', 'only what is due now')
  return onTrading<{ readonly once?: boolean }>(
    command,
    context,
    async ({ options, settings, output, signal }, ports) => {
      const [{ runSettlement }, { settlementPorts }, { settleAllDue, stepResolutions }, { latePauses }] =
        await Promise.all([
          import('../../operations/settlement/run-settlement.ts'),
          import('../../service/trading/worker-trading.ts'),
          import('../../service/trading/settle-in-process.ts'),
          import('../../service/schedules/late-pauses.ts'),
        ])
      const settling = settlementPorts(ports, problemNotes(output), signal)
      if (options.once !== true) {
        const pauses = latePauses(settings.warehouse)
        const isPaused = () => pauses.isPaused('follow-settlement')
        return void (await runSettlement(settling, { late_ms: () => 0, isPaused }).finally(pauses.close))
      }
      const { confirmed, failed, open } = await settleAllDue(settling)
      const resolutions = await stepResolutions(settling)
      return void (await printRecord(output, { confirmed, failed, open: open.length, resolutions }))
    },
  )
}

function notFailed(settlement_id: string, state: string): ServiceError {
  const message = `settlement ${settlement_id} is ${state}; allowed: a failed one`
  return new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'settlement', value: settlement_id })
}
