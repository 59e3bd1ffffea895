import { count } from '../../report/number-text.ts'
import type { Settings } from '../../service/configuration.ts'
import { EXIT } from '../../service/exit-codes.ts'
import type { Output } from '../../service/output.ts'
import { withTrading } from '../../service/trading/with-trading.ts'
import { type AuditedInvariant, auditTrading } from '../../trading/store/audit-trading.ts'

/** Checks the invariants of the trading core on one snapshot of its database. @returns the exit code, 1 if one is violated */
export async function auditTradingCommand(settings: Settings, output: Output): Promise<number> {
  const invariants = await withTrading(settings, ({ pool }) => auditTrading(pool))
  const ok = invariants.every(({ violations }) => violations.length === 0)
  await (output.json ? output.document({ ok, invariants }) : print(output, invariants))
  return ok ? EXIT.done : EXIT.no
}

async function print(output: Output, invariants: readonly AuditedInvariant[]): Promise<void> {
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
  if (broken === undefined) return output.line(`all ${count(invariants.length)} hold`)
  const { subject, found, expected } = broken.violations[0]!
  await output.line(`first violation: ${broken.invariant_id} of ${subject}: found ${found}, expected ${expected}`)
}
