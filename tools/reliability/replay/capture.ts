import type { Agent } from 'node:http'
import type { RequestKey } from '../../../client/signing/sign-request.ts'
import { invariant } from '../../../primitives/errors.ts'
import type { Random } from '../../../simulator/world/random.ts'
import type { ServedAccounts } from '../../../test/support/trading/served-accounts.ts'
import { readOf, sendWire, type WireAnswer, type WireRequest, writeOf } from '../wire-request.ts'

/** Keys that may not do everything. */
export type NarrowKeys = {
  readonly reads_alone: RequestKey
  readonly elsewhere: RequestKey
  readonly other_address: RequestKey
  readonly revoked: RequestKey
}

/** Requests that were sent and accepted, and what they made. */
export type Captured = {
  /** Request of acct_a that placed an order, which is working. */
  readonly place: WireRequest
  readonly placed_id: string
  readonly cancel: WireRequest
  readonly amend: WireRequest
  readonly read: WireRequest
  /** Body of a valid order of acct_a that nobody has sent. */
  readonly unsent: Readonly<Record<string, unknown>>
  /** An order of acct_b that works. */
  readonly other_id: string
}

/** Inputs of an attack. */
export type Target = {
  readonly served: ServedAccounts
  readonly narrow: NarrowKeys
  readonly captured: Captured
  readonly random: Random
}

export async function makeNarrowKeys(served: ServedAccounts): Promise<NarrowKeys> {
  const revoked = await served.newKey({})
  await served.act({ kind: 'revoke_key', key_id: revoked.key_id, reason: 'it leaked' })
  return {
    reads_alone: await served.newKey({ scopes: ['orders:read'] }),
    elsewhere: await served.newKey({ environment: 'production' }),
    other_address: await served.newKey({ ip_allowlist: ['203.0.113.0/24'] }),
    revoked,
  }
}

/** Has a few requests accepted, and keeps them as somebody who listens would. */
export async function capture(agent: Agent, base_url: string, served: ServedAccounts): Promise<Captured> {
  const { acct_a, acct_b } = served.keys
  const accepted = async (wire: WireRequest): Promise<WireAnswer> => {
    const answer = await sendWire(agent, base_url, wire)
    invariant(answer.code === null, `a valid request is accepted: ${answer.text}`)
    return answer
  }
  const placed = async (wire: WireRequest) => orderOf(await accepted(wire))
  for (const [account_id, key] of Object.entries({ acct_a, acct_b })) {
    await accepted(writeOf(key, '/orders/cancel-all', { account_id, scope: 'all_open_orders' }))
  }
  const rests = { limit_price: '0.02', quantity: '10' }
  const place = writeOf(acct_a, '/orders', await served.order(rests))
  const { order_id: placed_id } = await placed(place)
  const ended = await placed(writeOf(acct_a, '/orders', await served.order(rests)))
  const cancel = writeOf(acct_a, `/orders/${ended.order_id}/cancel`, {})
  await accepted(cancel)
  const moved = await placed(writeOf(acct_a, '/orders', await served.order(rests)))
  const wanted = { ...(await served.order({ ...rests, quantity: '11' })), expected_order_version: moved.version }
  const amend = writeOf(acct_a, `/orders/${moved.order_id}/amend`, wanted)
  await accepted(amend)
  const read = readOf(acct_a, '/orders?limit=10&side=BUY')
  await accepted(read)
  const { order_id: other_id } = await placed(writeOf(acct_b, '/orders', await served.order(rests, 'acct_b')))
  return { place, placed_id, cancel, amend, read, unsent: await served.order(rests), other_id }
}

function orderOf({ text }: WireAnswer): { readonly order_id: string; readonly version: number } {
  return JSON.parse(text).data
}
