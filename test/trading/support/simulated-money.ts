import { fromScaled } from '../../../primitives/scaled.ts'
import { pick } from '../../support/random.ts'
import type { MakerPorts } from './simulated-makers.ts'

type MoneyPorts = Pick<MakerPorts, 'random' | 'slow' | 'maker' | 'accounts' | 'now' | 'submit'>

/** Withdraws all that an account has available, so that a bust or a reversal finds nothing. */
export function drain(ports: MoneyPorts): void {
  const { random, slow, accounts } = ports
  const account_id = pick(accounts, random)
  const available = slow.available(account_id)
  if (available === 0n) return
  transfer(ports, 'withdraw', account_id, available)
  if (random() < 0.7) transfer(ports, 'deposit', account_id, pick([1_000_000n, 20_000_000n], random))
}

function transfer(ports: MoneyPorts, kind: 'deposit' | 'withdraw', account_id: string, amount: bigint): void {
  const { maker, submit, slow, now } = ports
  const sent = { transfer_id: `tr_${now()}`, account_id, asset_id: 'asset_usd', amount: fromScaled(amount, 6) }
  submit(maker.operate({ kind, ...sent }))
  slow.expire(now())
  slow.deposits.set(account_id, slow.deposits.get(account_id)! + (kind === 'deposit' ? amount : -amount))
}
