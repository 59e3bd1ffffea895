import { expect, test } from 'vitest'
import { ATTACKS } from '../../../tools/reliability/hostile/attacks.ts'
import { attackService } from '../../../tools/reliability/hostile/run-hostile.ts'
import { sized } from '../../support/sized.ts'
import type { Running } from './running.ts'

/** In the fast lane one attack of orders: sec:fuzz and the tests of streams send malformed bodies and open many connections there. */
const NAMES = sized(['open_orders_then_cancel_all'], Object.keys(ATTACKS))

/** Attacks of one account and one address while others use the service. The bound is that of all attacks on a busy machine. */
export function attackTests({ home, service }: Running): void {
  test(`attacks (${NAMES.length}), short: nobody else is refused, nothing is left behind; times are for a quiet machine`, async () => {
    const rows = await attackService(service(), { home, seconds: 1, settle_ms: 1_000, attacks: NAMES })
    const failures = rows.flatMap(({ violations }) =>
      violations.filter((text) => !/promised: at most \d+ ms$/.test(text)),
    )
    expect(failures).toEqual([])
    expect(rows.map(({ attack }) => attack)).toEqual(['none', ...NAMES])
    // Every attack reached the service, so that it was one.
    expect(rows.slice(1).filter(({ answers }) => Object.keys(answers).length === 0)).toEqual([])
  }, 900_000)
}
