import { invariant } from '../../../../primitives/errors.ts'
import { accountPolicyResource } from '../../../../trading/projections/account-policy.ts'
import { type Content, eventsOf, type PrivateSource } from '../content.ts'

/** account.risk: the policy of the account, and whether it is blocked. Its projection_version is the seq of the event. */
export const RISK: PrivateSource = {
  topic: 'account.risk',
  event_kinds: ['account'],
  sees_one_state: false,
  snapshot_max: 1,
  async ofEvents(view, all) {
    const events = eventsOf(all, 'account').map(({ event }) => event)
    const policies = await view.policies(events)
    return events.map((event, place) => {
      const found = policies[place]
      invariant(found !== undefined, `policy ${event.policy_id} version ${event.policy_version} is kept`)
      const row = { ...event, policy: found.policy }
      return contentOf(row, 'updated', event.engine_sequence, event.engine_sequence, event.at)
    })
  },
  async ofSnapshot(view, { account_id }, _limit, { engine_sequence, at }) {
    const account = await view.account(account_id)
    if (account === null) return []
    const last = await view.lastEventOf(account_id, ['account'], engine_sequence)
    return [contentOf(account, 'snapshot', engine_sequence, last, at)]
  },
}

function contentOf(
  row: Parameters<typeof accountPolicyResource>[0],
  kind: string,
  seq: number,
  engine_sequence: number,
  at: number,
): Content {
  const { account_id } = row
  const place = { seq, engine_sequence, projection_version: engine_sequence, at, resource_id: account_id }
  const data = JSON.stringify(accountPolicyResource(row))
  return { topic: 'account.risk', account_id, market_id: null, kind, ...place, data }
}
