import { Decimal, ONE, ZERO } from '../../primitives/decimal.ts'
import { invariant } from '../../primitives/errors.ts'

/** Two-sided 95 % quantile of the normal distribution. */
const Z_95 = new Decimal('1.959963984540054')

/** Returns Wilson's interval of a share: `successes` of `trials`. Null without trials. */
export function wilsonInterval(successes: number, trials: number, z = Z_95): { low: Decimal; high: Decimal } | null {
  invariant(successes >= 0 && successes <= trials, `wilson: ${successes} of ${trials}`)
  if (trials === 0) return null
  const [n, share, square] = [new Decimal(trials), new Decimal(successes).div(trials), z.times(z)]
  const center = share.plus(square.div(n.times(2)))
  const spread = share
    .times(ONE.minus(share))
    .div(n)
    .plus(square.div(n.times(n).times(4)))
    .sqrt()
    .times(z)
  const whole = ONE.plus(square.div(n))
  const clamp = (value: Decimal) => Decimal.min(ONE, Decimal.max(ZERO, value))
  return { low: clamp(center.minus(spread).div(whole)), high: clamp(center.plus(spread).div(whole)) }
}
