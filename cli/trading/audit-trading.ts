import { notAllowed } from '../../primitives/errors.ts'
import { count } from '../../report/number-text.ts'
import type { Settings } from '../../service/configuration.ts'
import { EXIT } from '../../service/exit-codes.ts'
import type { Output } from '../../service/output.ts'
import { type TradingPorts, withTrading } from '../../service/trading/with-trading.ts'
import { type Anchor, type AuditedInvariant, auditTrading, newestBatch } from '../../trading/store/audit-trading.ts'

/**
 * Checks the invariants of the trading core on one snapshot of its database, and tells its newest batch, to keep elsewhere.
 * @param kept batch that an earlier audit told, SEQUENCE:HASH
 * @returns the exit code, 1 if one is violated
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: `kept` is in another form
 */
export async function auditTradingCommand(
  settings: Settings,
  output: Output,
  kept: string | undefined,
): Promise<number> {
  const options = kept === undefined ? {} : { anchor: anchorOf(kept) }
  const audit = async ({ pool }: TradingPorts) => ({
    newest_batch: await newestBatch(pool),
    invariants: await auditTrading(pool, options),
  })
  const { newest_batch, invariants } = await withTrading(settings, audit, { only_existing: true })
  const ok = invariants.every(({ violations }) => violations.length === 0)
  await (output.json ? output.document({ ok, newest_batch, invariants }) : print(output, invariants, newest_batch))
  return ok ? EXIT.done : EXIT.no
}

const ANCHOR = /^(?<batch_sequence>[1-9]\d{0,14}):(?<hash>[0-9a-f]{64})$/

function anchorOf(text: string): Anchor {
  const parts = ANCHOR.exec(text)?.groups
  if (parts === undefined)
    throw notAllowed('VALIDATION_USAGE_INVALID', '--anchor', text, 'SEQUENCE:HASH, as an audit printed it')
  return { batch_sequence: Number(parts.batch_sequence), hash: parts.hash! }
}

async function print(output: Output, invariants: readonly AuditedInvariant[], newest: Anchor | null): Promise<void> {
  await output.table(
    ['invariant', 'violations', 'ms', 'what holds'],
    invariants.map(({ invariant_id, violations, took_ms, meaning }) => [
      invariant_id,
      violations.length,
      took_ms,
      meaning.split('. ')[0]!,
    ]),
  )
  const broken = invariants.find(({ violations }) => violations.length > 0)
  if (newest !== null)
    await output.line(
      `newest batch: ${newest.batch_sequence}:${newest.hash}; keep it elsewhere and give it to a later --anchor`,
    )
  if (broken === undefined) return output.line(`all ${count(invariants.length)} hold`)
  const { subject, found, expected } = broken.violations[0]!
  await output.line(`first violation: ${broken.invariant_id} of ${subject}: found ${found}, expected ${expected}`)
}
